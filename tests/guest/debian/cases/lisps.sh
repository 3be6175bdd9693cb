# SPDX-License-Identifier: GPL-3.0-or-later
# packages: chezscheme clisp chicken-bin
cat > s.scm <<'S'
(define (fact n) (if (= n 0) 1 (* n (fact (- n 1)))))
(display (fact 30)) (newline) (display (map (lambda (x) (* x x)) '(1 2 3))) (newline)
(call-with-current-continuation (lambda (k) (display "in") (k 1) (display "not"))) (newline)
S
$RUN $BIN/chezscheme -q --script s.scm; $RUN $BIN/csi -s s.scm
printf '(defun fact (n) (if (= n 0) 1 (* n (fact (1- n)))))\n(print (fact 30))\n(print (sqrt -4))\n(format t "~%%~r ~a~%%" 42 (reverse (list 1 2 3)))\n' > s.lisp
$RUN $ROOT/usr/lib/clisp-2.49.95+/base/lisp.run -B ../root/usr/lib/clisp-2.49.95+ -M ../root/usr/lib/clisp-2.49.95+/base/lispinit.mem -q -norc s.lisp

# SPDX-License-Identifier: GPL-3.0-or-later
# packages: sbcl
# threads: sbcl
cat > s.lisp <<'S'
(defun fib (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(print (fib 18)) (print (expt 3 100)) (print (loop for i below 10 collect (/ 1 (1+ i))))
#+sb-thread (let* ((lock (sb-thread:make-mutex)) (sum 0)
  (ts (loop for i below 4 collect (let ((i i)) (sb-thread:make-thread (lambda ()
    (dotimes (k 200) (sb-thread:with-mutex (lock) (incf sum i))) (fib 12)))))))
  (print (mapcar #'sb-thread:join-thread ts)) (print sum))
#+sb-thread (let* ((s (sb-thread:make-semaphore)) (box nil)
  (a (sb-thread:make-thread (lambda () (sb-thread:wait-on-semaphore s) (push :a box) :done))))
  (push :main box) (sb-thread:signal-semaphore s) (print (sb-thread:join-thread a)) (print box))
(gc :full t) (print (handler-case (error "x") (error (e) (princ-to-string e)))) (terpri)
S
$RUN $BIN/sbcl --core $ROOT/usr/lib/sbcl/sbcl.core --script s.lisp

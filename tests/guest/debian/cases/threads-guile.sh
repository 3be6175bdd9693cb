# SPDX-License-Identifier: GPL-3.0-or-later
# packages: guile-3.0
# threads: guile
# cores: functional ooo-4
cat > s.scm <<'S'
(use-modules (ice-9 threads) (srfi srfi-1) (ice-9 futures))
(define m (make-mutex)) (define n 0)
(define ts (map (lambda (i) (call-with-new-thread (lambda () (do ((k 0 (+ k 1))) ((= k 100)) (with-mutex m (set! n (+ n i))))
  (* i i)))) (iota 4)))
(display (map join-thread ts)) (newline) (display n) (newline)
(display (n-par-map 3 (lambda (x) (expt x 20)) (iota 6))) (newline)
(display (fold + 0 (iota 1000))) (newline)
S
$RUN $BIN/guile-3.0 --no-auto-compile s.scm 2> /dev/null || $RUN $ROOT/usr/lib/riscv64-linux-gnu/guile/3.0/bin/guile --no-auto-compile s.scm

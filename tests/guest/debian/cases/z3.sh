# SPDX-License-Identifier: GPL-3.0-or-later
# packages: z3
printf '(declare-const x Int)(declare-const y Int)(assert (= (+ (* 3 x) y) 17))(assert (> x y 0))(check-sat)(get-model)\n(declare-const a (_ BitVec 16))(assert (= (bvmul a #x0007) #x0015))(check-sat)(get-value (a))' > p.smt2; $RUN $BIN/z3 p.smt2

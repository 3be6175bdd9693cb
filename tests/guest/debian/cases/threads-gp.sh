# SPDX-License-Identifier: GPL-3.0-or-later
# packages: pari-gp
# threads: gp
cat > s.gp <<'S'
default(nbthreads, 4); default(parisizemax, 100000000);
f(n) = sumdigits(n!);
export(f);
print(parapply(f, [1..40]));
print(parsum(i = 1, 300, i^3)); print(pareval([() -> factor(2^67 - 1), () -> nextprime(10^20), () -> zeta(2)]));
parfor(i = 1, 6, i^2, r, ); print(factor(x^12 - 1)); print(ellinit([0, 0, 1, -1, 0]).disc); print(Pi); print(matdet(mathilbert(8)));
S
$RUN $BIN/gp -fq s.gp < /dev/null

# SPDX-License-Identifier: GPL-3.0-or-later
# packages: primesieve-bin primecount-bin
# threads: primesieve primecount
$RUN $BIN/primesieve -q -t4 -c1-3 2000000; $RUN $BIN/primesieve -q -t2 100000 -p | tail -n 2; $RUN $BIN/primesieve -q -n 5000
$RUN $BIN/primecount -t4 1e9; $RUN $BIN/primecount -t4 1e10 --legendre; $RUN $BIN/primecount -t4 -n 1e5

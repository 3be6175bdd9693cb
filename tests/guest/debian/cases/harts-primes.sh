# SPDX-License-Identifier: GPL-3.0-or-later
# packages: primesieve-bin primecount-bin
# threads: primesieve primecount
# cores: functional ooo-2 ooo-4 inorder-4
$RUN $BIN/primesieve -q -t4 300000; $RUN $BIN/primesieve -q -t2 1000 -p | tail -n 2; $RUN $BIN/primecount -t4 1e6

# SPDX-License-Identifier: GPL-3.0-or-later
# packages: coreutils
# threads: sort
seq 1 150000 | awk '{ print ($1 * 7919) % 150001, $1 }' > n
$RUN $BIN/sort --parallel=4 -S 20M n | cksum
$RUN $BIN/sort --parallel=8 -S 20M -n -k2 n | cksum

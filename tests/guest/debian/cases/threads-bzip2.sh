# SPDX-License-Identifier: GPL-3.0-or-later
# packages: pbzip2 lbzip2
# threads: pbzip2 lbzip2
seq 1 60000 > n
$RUN $BIN/pbzip2 -p4 -b1 -c n > pbzip2.bz2
$RUN $BIN/lbzip2 -n4 -1 -c n > lbzip2.bz2
cksum ./*.bz2
for b in pbzip2 lbzip2; do for f in ./*.bz2; do $RUN $BIN/$b -d -c $f | cmp - n && echo "$b $f"; done; done

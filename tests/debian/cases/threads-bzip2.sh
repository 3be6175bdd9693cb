# SPDX-License-Identifier: GPL-3.0-or-later
# packages: pbzip2 lbzip2
# threads: pbzip2 lbzip2
seq 1 60000 > n
for b in pbzip2 lbzip2; do $RUN $BIN/$b $([ $b = pbzip2 ] && echo -p4 -b1 || echo -n4 -1) -c n > $b.bz2; done
cksum ./*.bz2
for b in pbzip2 lbzip2; do for f in ./*.bz2; do $RUN $BIN/$b -d -c $f | cmp - n && echo "$b $f"; done; done

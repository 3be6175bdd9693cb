# SPDX-License-Identifier: GPL-3.0-or-later
# packages: pigz
# threads: pigz
seq 1 60000 > n
$RUN $BIN/pigz -p 4 -b 32 -n -k n; cksum < n.gz; $RUN $BIN/pigz -p 4 -t n.gz; $RUN $BIN/pigz -p 4 -dc n.gz | cmp - n && echo back
$RUN $BIN/pigz -p 3 -b 64 -z -c n | cksum

# SPDX-License-Identifier: GPL-3.0-or-later
# packages: pigz
# threads: pigz
# cores: functional ooo-2 ooo-4 inorder-4
seq 1 14000 > n; touch -d 2020-01-01 n
$RUN $BIN/pigz -p 4 -b 32 -1 -n -k n; cksum < n.gz; $RUN $BIN/pigz -p 4 -dc n.gz | cmp - n && echo back

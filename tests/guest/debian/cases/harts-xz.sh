# SPDX-License-Identifier: GPL-3.0-or-later
# packages: xz-utils
# threads: xz
# cores: functional ooo-2 ooo-4
seq 1 6000 > n; touch -d 2020-01-01 n
$RUN $BIN/xz -T4 -0 --block-size=8KiB -k n; $RUN $BIN/xz -T4 -dc n.xz | cmp - n && echo back; cksum n.xz

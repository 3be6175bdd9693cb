# SPDX-License-Identifier: GPL-3.0-or-later
# packages: plzip pixz lzip xz-utils
# threads: plzip pixz xz
seq 1 40000 > n
$RUN $BIN/xz -T4 -0 --block-size=32KiB -k n; $RUN $BIN/xz -lv n.xz | grep -c CRC64; $RUN $BIN/xz -T4 -dc n.xz | cmp - n && echo xz
$RUN $BIN/plzip -n 4 -0 -B 65536 -k n; $RUN $BIN/plzip -n 4 -dc n.lz | cmp - n && echo plzip; $RUN $BIN/lzip.lzip -dc n.lz | cksum
$RUN $BIN/pixz -p 4 -0 -f 0.3 n n.pxz; $RUN $BIN/pixz -d -p 4 n.pxz back; cmp back n && echo pixz; cksum n.*

# SPDX-License-Identifier: GPL-3.0-or-later
# packages: zpaq 7zip
# threads: zpaq 7z
seq 1 20000 > n; seq 5 3 30000 > m; touch -d '2020-01-01' n m
$RUN $BIN/zpaq a z.zpaq n m -m1 -t4 > log; mkdir out; $RUN $BIN/zpaq x z.zpaq n -to out/n -t4 > log; cmp out/n n && echo zpaq; rm z.zpaq log
$RUN $ROOT/usr/lib/7zip/7z a -bso0 -bsp0 -mmt4 -mx1 -mtm- s.7z n m; $RUN $ROOT/usr/lib/7zip/7z t -bsp0 -mmt4 s.7z | grep -E 'Size|Files|Ok'
$RUN $ROOT/usr/lib/7zip/7z x -so -mmt4 s.7z m | cmp - m && echo 7z; cksum s.7z

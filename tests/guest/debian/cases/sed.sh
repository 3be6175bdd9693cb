# SPDX-License-Identifier: GPL-3.0-or-later
# cores: functional ooo check
seq 1 100 > n
$RUN $BIN/sed -n '5,10p;$p' n; $RUN $BIN/sed 's/\([0-9]\)\([0-9]\)/\2\1/;/3/d' n |
    tail -n 5; $RUN $BIN/sed -i.bak '1~2d' n
$RUN $BIN/sed ':a;N;$!ba;s/\n/,/g' n; $RUN $BIN/sed -E 's/(.)/\U\1/;y/123/abc/;w written' n | head -n 3

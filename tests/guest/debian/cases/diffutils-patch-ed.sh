# SPDX-License-Identifier: GPL-3.0-or-later
# cores: functional ooo check
seq 1 50 > a; sed 's/^25$/changed/;/^30$/d' a > b; echo end >> b
$RUN $BIN/diff -u --label a --label b a b > p; $RUN $BIN/diff a b; echo $?; $RUN $BIN/patch -s a p; $RUN $BIN/cmp a b &&
    echo patched; $RUN $BIN/sdiff -s -w 40 p a | tail -n 2
printf 'g/1/s//one/g\nw\nq\n' | $RUN $BIN/ed -s a; head -n 3 a; rm -f a.orig

# SPDX-License-Identifier: GPL-3.0-or-later
$RUN $BIN/seq 1 300 > n
$RUN $BIN/sort -R --random-source=n n | $RUN $BIN/cksum
$RUN $BIN/sort -k1,1 -r n | $RUN $BIN/head -n 5
$RUN $BIN/cut -c1 n | $RUN $BIN/uniq -c
$RUN $BIN/paste -d, n n | $RUN $BIN/tail -n 2
$RUN $BIN/tr -d 1 < n | $RUN $BIN/wc
$RUN $BIN/fold -w 7 n | $RUN $BIN/tac | $RUN $BIN/nl | $RUN $BIN/head -n 4
$RUN $BIN/join n n | $RUN $BIN/comm -12 - n 2>/dev/null | $RUN $BIN/wc -l
$RUN $BIN/split -l 100 n part.
$RUN $BIN/printf '%05.1f %s %x\n' 3.14159 text 255
$RUN $BIN/expr 6 \* 7; $RUN $BIN/factor 1234567890123; $RUN $BIN/numfmt --to=iec 123456789
$RUN $BIN/shuf -i 1-20 --random-source=n; $RUN $BIN/fmt -w 30 n | $RUN $BIN/pr -t -2 | $RUN $BIN/cksum

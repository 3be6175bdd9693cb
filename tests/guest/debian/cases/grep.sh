# SPDX-License-Identifier: GPL-3.0-or-later
# cores: functional ooo check
$RUN $BIN/seq 1 2000 > n
$RUN $BIN/grep -c '7' n; $RUN $BIN/grep -nE '^(1|2)0+$' n; $RUN $BIN/grep -oP '\d(?=99$)' n | sort | uniq -c
$RUN $BIN/grep -B1 -A1 -w 1000 n; mkdir d; cp n d; $RUN $BIN/grep -rl 1999 . | sort; $RUN $BIN/grep -q nothing n;
echo $?
$RUN $BIN/grep -F -f n n | wc -l

# SPDX-License-Identifier: GPL-3.0-or-later
# cores: functional ooo check
seq 1 3000 | $RUN $BIN/mawk '{ s += $1; x[$1 % 7] += $1 } END { for (i = 0; i < 7; i++) print i, x[i];
print s, sin(1), sprintf("%e", s) }'
$RUN $BIN/mawk 'BEGIN { while (("seq 3" | getline l) > 0) print "l" l; print system("exit 2");
print length("abc") > "f" }'

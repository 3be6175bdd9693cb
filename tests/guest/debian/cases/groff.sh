# SPDX-License-Identifier: GPL-3.0-or-later
# packages: groff-base
printf '.TH X 1\n.SH NAME\nx \\- y\n.PP\nSome \\fBbold\\fP text.\n' > x.1; G=../root/usr/share/groff/1.23.0
$RUN $BIN/troff -Tascii -mandoc -F $G/font -M $G/tmac x.1 2> /dev/null | $RUN $BIN/grotty -F $G/font -c | head -n 9; echo '.PS' | $RUN $BIN/pic | tail -n 2; printf '.TS\nl l.\na\tb\n.TE\n' | $RUN $BIN/tbl | cksum; printf '.EQ\nx sup 2\n.EN\n' | $RUN $BIN/eqn -Tascii | tail -n 2

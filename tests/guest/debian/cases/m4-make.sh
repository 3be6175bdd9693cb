# SPDX-License-Identifier: GPL-3.0-or-later
# cores: functional ooo check
printf 'define(`f'"'"', `$1 and $2'"'"')f(a, b) eval(3 ** 4) ifelse(1, 1, yes) len(hello) esyscmd(echo shell)syscmd(exit 3)sysval\n' > t; $RUN $BIN/m4 t
printf 'all: b c\n\t@echo all\nb: a\n\t@tr a-z A-Z < a > b\nc:\n\t@echo $(shell echo sub) > c; exit 0\nfail:\n\t@exit 3\n' > Makefile; echo text > a
$RUN $BIN/make -s; cat b c; $RUN $BIN/make -s fail 2>/dev/null; echo $?; $RUN $BIN/make -s -n c

# SPDX-License-Identifier: GPL-3.0-or-later
# packages: bat hexyl sd
printf 'int main(void) {\n\treturn 0; /* nothing */\n}\n' > a.c
$RUN $BIN/batcat --plain --color=always a.c | cksum; $RUN $BIN/batcat -n --paging=never --color=never a.c
$RUN $BIN/hexyl --color=never --border=ascii a.c; echo 'one two' | $RUN $BIN/sd '(\w+) (\w+)' '$2 $1'; $RUN $BIN/sd return exit a.c; cat a.c

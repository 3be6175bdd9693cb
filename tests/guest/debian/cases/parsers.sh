# SPDX-License-Identifier: GPL-3.0-or-later
# packages: bison flex re2c gperf indent
printf '%%token N\n%%%%\ne: e "+" t | t; t: N | "(" e ")";\n' > g.y; $RUN -E BISON_PKGDATADIR=../root/usr/share/bison $BIN/bison --report=state -o g.c g.y; grep -c State g.output; rm -f g.c
printf '%%option noyywrap\n%%%%\n[0-9]+ return 1;\n[ \\t]+ ;\n%%%%\n' > l.l; $RUN $BIN/flex -o l.c l.l; wc -l < l.c
printf 'int f(char *s) {\n/*!re2c re2c:define:YYCTYPE = char; re2c:define:YYCURSOR = s; re2c:yyfill:enable = 0;\n "ab" { return 1; } * { return 0; } */ }\n' > r.re; $RUN $BIN/re2c -o r.c r.re; sed 1d r.c | cksum; rm r.c
printf 'if\nelse\nwhile\nfor\n' | $RUN $BIN/gperf | grep -c '"while"'; printf 'int main(){if(1){return 0;}}\n' > i.c; $RUN $BIN/indent -kr -st i.c

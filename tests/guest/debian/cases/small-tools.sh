# SPDX-License-Identifier: GPL-3.0-or-later
# packages: tree figlet jo ncal ent cmark discount
# cores: functional ooo check
mkdir -p d/e; touch d/a d/e/b; $RUN $BIN/tree --noreport d; $RUN $BIN/figlet-figlet -d ../root/usr/share/figlet Hi; $RUN $BIN/jo a=1 b=x 'c[]=2'
$RUN $BIN/ncal -b -h 2 2024; printf '# T\n\n* a\n* *b*\n' > m.md; $RUN $BIN/cmark m.md; $RUN $BIN/markdown m.md; seq 100 > n; $RUN $BIN/ent -t n

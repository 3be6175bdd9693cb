# SPDX-License-Identifier: GPL-3.0-or-later
# packages: datamash recode enca cpio rdiff xdelta3
printf 'a 1\nb 2\na 3\n' | $RUN $BIN/datamash -W -s -g 1 sum 2 mean 2; printf 'h\303\251\n' | $RUN $BIN/recode utf8..latin1 | od -An -c; printf 'h\303\251\n' > e; $RUN $BIN/enca -L none e
seq 300 > o; sed 's/7/x/' o > n; $RUN $BIN/rdiff signature o s; $RUN $BIN/rdiff delta s n d; $RUN $BIN/rdiff patch o d b; cmp b n && echo rdiff
$RUN $BIN/xdelta3 -e -A -s o n v; $RUN $BIN/xdelta3 -d -s o v w; cmp w n && echo xdelta3; touch -d 2020-01-01 o n; printf 'o\nn\n' | $RUN $BIN/cpio -o --quiet --reproducible -H newc > c; rm -r c; rm -f e

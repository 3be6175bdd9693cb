# SPDX-License-Identifier: GPL-3.0-or-later
# cores: functional ooo
seq 1 3000 > n
$RUN $BIN/gzip -n9k n
$RUN $BIN/gzip -dc n.gz | cmp - n && echo back
$RUN $BIN/gzip -l n.gz
$RUN $BIN/bash $BIN/zcat n.gz | tail -n 1

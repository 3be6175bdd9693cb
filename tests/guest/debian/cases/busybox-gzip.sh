# SPDX-License-Identifier: GPL-3.0-or-later
# cores: functional ooo
$RUN $BIN/busybox seq 1 2000 > numbers
$RUN $BIN/busybox gzip -c numbers > numbers.gz
$RUN $BIN/busybox zcat numbers.gz | cmp - numbers && echo back

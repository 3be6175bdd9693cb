# SPDX-License-Identifier: GPL-3.0-or-later
# cores: functional ooo
$RUN $BIN/busybox seq 1 3000 > numbers
$RUN $BIN/busybox sha256sum numbers
$RUN $BIN/busybox md5sum numbers

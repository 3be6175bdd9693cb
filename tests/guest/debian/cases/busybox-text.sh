# SPDX-License-Identifier: GPL-3.0-or-later
$RUN $BIN/busybox seq 1 500 > n
$RUN $BIN/busybox awk '{s += $1 * 1.5} END {print s, NR}' n
$RUN $BIN/busybox sed -n '/7$/s/^/x/p' n
$RUN $BIN/busybox sort -rn n > sorted
$RUN $BIN/busybox tr 0-9 a-j < n > letters
$RUN $BIN/busybox grep -c 9 n
$RUN $BIN/busybox od -c n > dump
$RUN $BIN/busybox diff n sorted > differences

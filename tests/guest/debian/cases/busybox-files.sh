# SPDX-License-Identifier: GPL-3.0-or-later
$RUN $BIN/busybox mkdir -p a/b/c
$RUN $BIN/busybox touch a/x a/b/y
$RUN $BIN/busybox ln -s x a/link
$RUN $BIN/busybox cp -r a copy
$RUN $BIN/busybox mv copy/b moved
$RUN $BIN/busybox find . | $RUN $BIN/busybox sort
$RUN $BIN/busybox stat -c '%A %s %n' a/x
$RUN $BIN/busybox tar cf all.tar --numeric-owner a
$RUN $BIN/busybox tar tf all.tar | sort
$RUN $BIN/busybox rm -r a all.tar
$RUN $BIN/busybox rm nothing

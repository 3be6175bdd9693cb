# SPDX-License-Identifier: GPL-3.0-or-later
printf '\037\213\010' > gz; echo text > t; printf '#!/bin/sh\n' > s; printf '\211PNG\r\n\032\n' > p; cp $BIN/true e
$RUN $BIN/file -m $ROOT/usr/lib/file/magic.mgc gz t s p; $RUN $BIN/file -m $ROOT/usr/lib/file/magic.mgc -bi t s;
$RUN $BIN/file -m $ROOT/usr/lib/file/magic.mgc -b e; rm e

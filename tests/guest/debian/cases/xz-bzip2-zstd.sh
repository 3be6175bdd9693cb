# SPDX-License-Identifier: GPL-3.0-or-later
seq 1 20000 > n
$RUN $BIN/xz -k --threads=1 n
$RUN $BIN/bzip2 -k n
$RUN $BIN/zstd -q --single-thread --no-asyncio n
for f in n.xz n.bz2 n.zst; do wc -c < $f; done
$RUN $BIN/xz -dc --threads=1 n.xz | cksum
$RUN $BIN/bzip2 -dc n.bz2 | cksum
$RUN $BIN/zstd -dcq --single-thread --no-asyncio n.zst | cksum

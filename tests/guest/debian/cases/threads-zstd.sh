# SPDX-License-Identifier: GPL-3.0-or-later
# packages: zstd lz4
# threads: zstd lz4
seq 1 200000 > n
$RUN $BIN/zstd -q -T4 -1 -B524288 -k n; cksum < n.zst; $RUN $BIN/zstd -q -dc n.zst | cmp - n && echo zstd
$RUN $BIN/lz4 -q -T4 -B4 -k n n.lz4; cksum < n.lz4; $RUN $BIN/lz4 -q -dc n.lz4 | cmp - n && echo lz4

# SPDX-License-Identifier: GPL-3.0-or-later
# packages: zstd lz4
# threads: zstd lz4
# cores: functional ooo-2 ooo-4 inorder-2
seq 1 90000 > n; head -c 150000 n > m; touch -d 2020-01-01 n m
$RUN $BIN/zstd -q -T4 --fast=5 -B524288 -k n; $RUN $BIN/zstd -q -dc n.zst | cmp - n && echo zstd
$RUN $BIN/lz4 -q -T4 -B4 -k m n.lz4; $RUN $BIN/lz4 -q -dc n.lz4 | cmp - m && echo lz4; cksum n.*

# SPDX-License-Identifier: GPL-3.0-or-later
# packages: brotli lzop zopfli lrzip
seq 1 400 > n
$RUN $BIN/brotli -q 3 -k n; $RUN $BIN/brotli -dc n.br | cmp - n && echo brotli; $RUN $BIN/lzop -q -1 -c n > n.lzo; $RUN $BIN/lzop -q -dc n.lzo | cmp - n && echo lzop
$RUN $BIN/zopfli --i1 -c n | cksum; wc -c < n.br; rm n.lzo

# SPDX-License-Identifier: GPL-3.0-or-later
$RUN $BIN/seq 1 20000 > n
for t in md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum; do $RUN $BIN/$t n; done
$RUN $BIN/sha256sum n > sums; $RUN $BIN/sha256sum -c sums
$RUN $BIN/base64 n | $RUN $BIN/base64 -d | cmp - n && echo back; $RUN $BIN/basenc --base32hex n | $RUN $BIN/cksum
$RUN $BIN/od -A x -t x4z n | $RUN $BIN/tail -n 3

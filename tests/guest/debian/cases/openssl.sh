# SPDX-License-Identifier: GPL-3.0-or-later
seq 1 5000 > n; for d in md5 sha256 sha512 sha3-256 blake2s256; do $RUN $BIN/openssl dgst -$d n; done
$RUN $BIN/openssl enc -aes-256-cbc -K 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff \
    -iv 000102030405060708090a0b0c0d0e0f -in n -out e
$RUN $BIN/openssl enc -d -aes-256-cbc -K 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff \
    -iv 000102030405060708090a0b0c0d0e0f -in e | cmp - n && echo back
$RUN $BIN/openssl base64 -in n | cksum; $RUN $BIN/openssl prime 1000003

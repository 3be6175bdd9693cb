# SPDX-License-Identifier: GPL-3.0-or-later
# packages: flac
# threads: flac
# cores: functional ooo-2 ooo-4
awk 'BEGIN { for (i = 0; i < 9000; i++) printf "%c%c", 65 + (i * i) % 50, i % 20 }' > raw
touch -d 2020-01-01 raw
$RUN $BIN/flac -s -0 -j4 --force-raw-format --endian=little --sign=signed \
    --channels=1 --bps=16 --sample-rate=8000 raw -o a.flac
$RUN $BIN/flac -s -d -c --force-raw-format --endian=little --sign=signed a.flac | cmp - raw && cksum < a.flac

# SPDX-License-Identifier: GPL-3.0-or-later
# packages: flac libavif-bin libjxl-tools libjpeg-turbo-progs optipng
# threads: flac avifenc cjxl djxl
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%c%c", 65 + (i * i) % 50, i % 20 }' > raw
$RUN $BIN/flac -s -j4 --force-raw-format --endian=little --sign=signed --channels=1 --bps=16 --sample-rate=8000 raw -o a.flac; cksum < a.flac
$RUN $BIN/flac -s -d -c --force-raw-format --endian=little --sign=signed a.flac | cmp - raw && echo flac
{ printf 'P6 48 48 255\n'; head -c 6912 raw; } > in.ppm; $RUN $BIN/cjpeg -quality 80 in.ppm > j.jpg; $RUN $BIN/djpeg j.jpg | cksum; $RUN $BIN/jpegtran -rotate 90 j.jpg | cksum
$RUN $BIN/cjxl -e 3 --num_threads=4 in.ppm x.jxl 2> /dev/null; $RUN $BIN/djxl --num_threads=4 x.jxl out.ppm 2> /dev/null; cksum < out.ppm

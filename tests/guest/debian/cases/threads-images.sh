# SPDX-License-Identifier: GPL-3.0-or-later
# packages: imagemagick-7.q16 graphicsmagick
# threads: magick gm
i=0; { echo 'P2 64 64 255'; while [ $i -lt 4096 ]; do echo $((i * i % 251)); i=$((i + 1)); done; } > in.pgm
M="$RUN -E MAGICK_CODER_MODULE_PATH=../root/usr/lib/riscv64-linux-gnu/ImageMagick-7.1.1/modules-Q16/coders $BIN/magick-im7.q16"
$M -limit thread 4 in.pgm -resize 150% -blur 0x1 -rotate 30 out.ppm; cksum < out.ppm
M="$RUN -E MAGICK_CODER_MODULE_PATH=../root/usr/lib/riscv64-linux-gnu/ImageMagick-7.1.1/modules-Q16/coders $BIN/magick-im7.q16"
$M identify -format '%w %h %[mean]\n' out.ppm
$RUN $BIN/gm convert -limit threads 4 in.pgm -resize 40x40 -sharpen 0x1 gm.pgm; cksum < gm.pgm
$RUN $BIN/gm identify -format '%w %h\n' gm.pgm

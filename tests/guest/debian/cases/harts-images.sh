# SPDX-License-Identifier: GPL-3.0-or-later
# packages: graphicsmagick
# threads: gm
# cores: functional ooo-2 ooo-4
i=0; { echo 'P2 24 24 255'; while [ $i -lt 576 ]; do echo $((i * i % 251)); i=$((i + 1)); done; } > in.pgm
touch -d 2020-01-01 in.pgm
$RUN $BIN/gm convert -limit threads 4 in.pgm -sharpen 0x1 gm.pgm; cksum < gm.pgm

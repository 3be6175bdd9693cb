# SPDX-License-Identifier: GPL-3.0-or-later
# packages: ripgrep fd-find
# threads: rg fdfind
# cores: functional ooo-2 ooo-4
mkdir -p d/e d/f; for i in 1 2 3 4 5 6; do seq $i 3 400 > d/e/$i.txt; echo "int f$i(void);" > d/f/$i.c; done
find d -exec touch -d 2020-01-01 {} +
$RUN $BIN/rg -j4 -c '7[13]' d > out; sort out; $RUN $BIN/fdfind -j4 . d > out; sort out; rm out

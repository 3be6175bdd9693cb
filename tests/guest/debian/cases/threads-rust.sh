# SPDX-License-Identifier: GPL-3.0-or-later
# packages: ripgrep fd-find b3sum tokei
# threads: rg fdfind b3sum tokei
mkdir -p d/e d/f; for i in 1 2 3 4 5 6 7 8; do seq $i 3 2000 > d/e/$i.txt; echo "int f$i(void) { return $i; } // note" > d/f/$i.c; done
$RUN $BIN/rg -j4 -c '7[13]' d | sort; $RUN $BIN/rg -j3 -n --no-ignore -t c 'return [2-4]' | sort; $RUN $BIN/rg -j4 absent d; echo $?
$RUN $BIN/fdfind -j4 . d | sort; $RUN $BIN/fdfind -j2 -e c '[1-3]' | sort
$RUN $BIN/b3sum --num-threads 4 d/e/*.txt; cat d/e/* d/e/* d/e/* > big; $RUN $BIN/b3sum --num-threads 3 big
$RUN $BIN/tokei -o json d | jq -c '.C | .code, .comments, (.reports | length)'

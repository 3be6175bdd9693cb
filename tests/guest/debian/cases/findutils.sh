# SPDX-License-Identifier: GPL-3.0-or-later
mkdir -p a/b c; for i in 1 2 3; do seq $i > a/f$i; done; touch a/b/g c/empty
$RUN $BIN/find . -type f -size +0 | sort; $RUN $BIN/find . -name 'f*' -exec wc -c {} \; |
    sort; $RUN $BIN/find . -empty -print0 | sort -z | tr '\0' ' '
$RUN $BIN/find a -type f | sort | $RUN $BIN/xargs -n 2 echo; seq 10 | $RUN $BIN/xargs -P 1 -I% echo item %;
$RUN $BIN/find . -newer a/f1 -maxdepth 0; $RUN $BIN/find . -name g -delete; ls -R

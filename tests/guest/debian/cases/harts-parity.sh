# SPDX-License-Identifier: GPL-3.0-or-later
# packages: par2 hashdeep
# threads: par2 hashdeep
# cores: functional ooo-2 ooo-4
for i in 1 2 3; do seq $i 7 3000 > f$i; done; touch -d 2020-01-01 f?
$RUN $BIN/par2 create -q -q -t4 -s1024 -c2 p f1 f2 f3; cksum p*.par2
$RUN $BIN/hashdeep -j4 -c md5,sha256 -b f1 f2 f3 > out; sed -n '6,$p' out | sort; rm out

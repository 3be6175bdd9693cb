# SPDX-License-Identifier: GPL-3.0-or-later
# packages: par2 hashdeep rhash xxhash
# threads: par2 hashdeep
for i in 1 2 3 4 5 6; do seq $i 7 9000 > f$i; done
$RUN $BIN/par2 create -q -q -t4 -s4096 -c4 p f1 f2 f3; cksum p*.par2; printf x | dd of=f2 bs=1 seek=99 conv=notrunc 2> /dev/null
$RUN $BIN/par2 repair -q -t4 p.par2 | grep -v -e Loading -e found | sort; cmp f2.1 f2; rm f2.1
$RUN $BIN/hashdeep -j4 -c md5,sha256 -b f? | grep -v -e Invoked -e '^## # ' | sort; $RUN $BIN/rhash --sha3-256 --tiger f1 f2; $RUN $BIN/xxhsum -H2 f1 f2 f3

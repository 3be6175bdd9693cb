# SPDX-License-Identifier: GPL-3.0-or-later
# packages: shfmt gron
# threads: shfmt gron
# cores: functional ooo-2 ooo-4
printf 'if [ a ];then\necho   b;fi\nfor i in 1 2;do echo $i\ndone\n' > s; $RUN $BIN/shfmt -i 4 s
echo '{"a":[1,{"b":"c"}],"d":null}' > j; touch -d 2020-01-01 j; $RUN $BIN/gron j

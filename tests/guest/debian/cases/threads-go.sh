# SPDX-License-Identifier: GPL-3.0-or-later
# packages: shfmt miller gron age
# threads: shfmt mlr gron age
printf 'if [ a ];then\necho   b;fi\nfor i in 1 2;do echo $i\ndone\n' > s; $RUN $BIN/shfmt -i 4 s; echo 'if' | $RUN $BIN/shfmt; echo $?
seq 1 500 | awk '{ print $1 "," $1 % 7 "," $1 * $1 }' | sed '1i a,b,c' > t.csv
$RUN $BIN/mlr --icsv --opprint stats1 -a mean,sum,count,p50 -f a,c -g b 'then' sort -n b t.csv
$RUN $BIN/mlr --icsv --ojson head -n 2 'then' put '$d = strlen($c) . "x"' t.csv
echo '{"a":[1,{"b":"c"}],"d":null}' | $RUN $BIN/gron; echo '{"a":[1,{"b":"c"}]}' | $RUN $BIN/gron | $RUN $BIN/gron -u
$RUN $BIN/age-keygen -o k 2> /dev/null; $RUN $BIN/age -e -i k -o t.age t.csv; $RUN $BIN/age -d -i k t.age | cmp - t.csv && echo age; rm k t.age

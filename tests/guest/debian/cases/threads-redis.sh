# SPDX-License-Identifier: GPL-3.0-or-later
# packages: redis-server redis-tools
# threads: redis-server
$RUN $BIN/redis-server --port 0 --unixsocket "$PWD/s" --save '' --appendonly no --io-threads 3 --daemonize no > log 2>&1 &
until [ -S s ]; do sleep 0.1; done
printf 'SET a 1\nINCR a\nLPUSH l x y z\nLRANGE l 0 -1\nZADD z 2 two 1 one\nZRANGE z 0 -1 WITHSCORES\nGET a\nSHUTDOWN NOSAVE\n' | $RUN $BIN/redis-cli -s s
wait; rm -f log s

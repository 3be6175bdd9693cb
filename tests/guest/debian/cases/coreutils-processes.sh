# SPDX-License-Identifier: GPL-3.0-or-later
$RUN $BIN/env A=1 printenv A; $RUN $BIN/timeout 0.2 sleep 5; echo $?
$RUN $BIN/nice -n 0 echo nice; $RUN $BIN/nohup echo nohup 2>/dev/null; $RUN $BIN/stdbuf -o0 true; echo $?
$RUN $BIN/timeout 5 sh -c 'exit 9'; echo $?; $RUN $BIN/yes | head -n 2; $RUN $BIN/sleep 0.01; $RUN $BIN/kill -l 15;
$RUN $BIN/uname -m
$RUN $BIN/env -i sh -c 'kill -SEGV $$'; echo $?

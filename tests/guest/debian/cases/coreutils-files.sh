# SPDX-License-Identifier: GPL-3.0-or-later
$RUN $BIN/mkdir -p d/e; echo text > d/f
$RUN $BIN/cp -a d copy; $RUN $BIN/ln -s f d/link; $RUN $BIN/mv copy/f copy/g; $RUN $BIN/ls -R1
$RUN $BIN/stat -c '%F %s %a' d/f d/link d; $RUN $BIN/readlink d/link; $RUN $BIN/chmod 600 d/f; $RUN $BIN/stat -c %A d/f
$RUN $BIN/dd if=/dev/zero of=z bs=1k count=3 2>/dev/null; $RUN $BIN/truncate -s 5000 z; $RUN $BIN/du -b z
$RUN $BIN/touch -d '2020-01-02 03:04:05' z; $RUN $BIN/date -r z +%F_%T; $RUN $BIN/install -m 755 z inst;
$RUN $BIN/rm -rf d
$RUN $BIN/realpath --relative-to=. z; $RUN $BIN/basename /a/b.c .c; $RUN $BIN/test -f z &&
    echo is; $RUN $BIN/tee t1 t2 < z | wc -c
$RUN $BIN/ls nothing; echo $?

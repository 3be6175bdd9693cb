# SPDX-License-Identifier: GPL-3.0-or-later
# packages: curl
seq 1 3000 > n; $RUN $BIN/curl -s "file://$PWD/n" | cksum; $RUN $BIN/curl -s -r 10-19 "file://$PWD/n"; $RUN $BIN/curl -s file:///absent; echo $?
$RUN $BIN/curl -s -o a "file://$PWD/n" -o b "file://$PWD/n"; cmp a b; $RUN $BIN/curl -s -I "file://$PWD/n" | grep Content-Length; $RUN $BIN/curl -s --parallel -o c "file://$PWD/n" -o d "file://$PWD/n"; cmp c d; cksum c

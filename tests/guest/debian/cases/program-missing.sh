# SPDX-License-Identifier: GPL-3.0-or-later
$RUN $BIN/bash -c 'nothing-here; echo $?; ./dir; echo $?; cd /nonexistent; echo $?; exec /nonexistent; echo no' \
    2>/dev/null; echo "status $?"

# SPDX-License-Identifier: GPL-3.0-or-later
$RUN $BIN/bash \
    -c 'sh -c "kill -ABRT \$\$"; echo $?; sh -c "kill -KILL \$\$"; echo $?; (kill -INT $BASHPID); echo $?; ulimit -c 0; bash -c "kill -SEGV \$\$"; echo $?' 2>/dev/null; echo "status $?"

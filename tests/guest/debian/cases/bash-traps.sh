# SPDX-License-Identifier: GPL-3.0-or-later
cat > s <<'S'
trap 'echo chld' CHLD
/bin/true; wait
trap 'echo exit $?' EXIT
f() { local -i n=$1; ((n > 0)) && f $((n - 1)); return $n; }
f 5; echo $?
( trap 'echo inner' TERM; kill -TERM $BASHPID; echo after )
set -e
! false
false
echo unreached
S
$RUN $BIN/bash s; echo "status $?"

# SPDX-License-Identifier: GPL-3.0-or-later
printf '#!/bin/sh\necho "script ${0##*/} $*"\n' > one; chmod +x one
printf '#! /bin/sed -f\ns/a/b/\n' > two; chmod +x two
printf 'echo no first line $1\n' > three; chmod +x three
echo banana > text
cat > s <<'S'
./one x 'y z'; ./two text; ./three arg; PATH=. one found
exec ./one last
S
$RUN $BIN/bash s; $RUN $BIN/dash s

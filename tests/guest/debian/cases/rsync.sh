# SPDX-License-Identifier: GPL-3.0-or-later
# packages: rsync
mkdir -p a/b; seq 2000 > a/n; seq 9 > a/b/m; find a -exec touch -d 2020-01-01 {} +; $RUN $BIN/rsync --version | sed 1q; $RUN $BIN/rsync -n --list-only a/ 2>&1 | awk '{ print $NF }'; echo 'x' > "f y"; $RUN $BIN/rsync --list-only 'f y' | awk '{ print $2, $5, $6 }'; $RUN $BIN/rsync --bogus; echo $?

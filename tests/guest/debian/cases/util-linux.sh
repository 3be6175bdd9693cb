# SPDX-License-Identifier: GPL-3.0-or-later
# packages: bsdextrautils
# cores: functional ooo check
printf 'a:bb\nccc:d\n' > t; $RUN $BIN/column -t -s : t; $RUN $BIN/hexdump -C t; printf 'a\bb\n' | $RUN $BIN/col -b; printf 'abcdef\n' | $RUN $BIN/colrm 2 3

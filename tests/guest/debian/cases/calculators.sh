# SPDX-License-Identifier: GPL-3.0-or-later
# packages: units calc
# cores: functional ooo check
$RUN $BIN/calc -q '2^100 / 3; sqrt(2, 1e-20)' < /dev/null; $RUN $BIN/calc -q 'factor(1001)' < /dev/null

# SPDX-License-Identifier: GPL-3.0-or-later
# packages: b3sum
# threads: b3sum
# cores: functional ooo-2 ooo-4
seq 1 30000 > big; seq 1 3 5000 > small; touch -d 2020-01-01 big small
$RUN $BIN/b3sum --num-threads 4 big small; $RUN $BIN/b3sum --num-threads 2 --no-mmap big

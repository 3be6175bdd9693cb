# SPDX-License-Identifier: GPL-3.0-or-later
# cores: functional
$RUN $BIN/python3.13 \
    -B -S -E -c 'import sys, os; print(sys.version_info[:2], os.getcwd() == os.path.realpath("."), sys.argv)' a b
echo 'print(input()[::-1])' > s.py; echo hello | $RUN $BIN/python3.13 -B s.py;
$RUN $BIN/python3.13 -B -c 'raise SystemExit(3)'

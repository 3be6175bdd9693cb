# SPDX-License-Identifier: GPL-3.0-or-later
P='import os; p = f"/proc/{os.getpid()}"; print(os.readlink("/proc/self") == str(os.getpid()), os.path.realpath("/proc/self") == p'
P="$P, os.path.isdir(p), os.path.islink(p), os.path.islink('/proc/self'), os.path.exists(p + '/fd/1'), os.path.exists(p + 'x')"
$RUN $BIN/python3.13 -B -S -c "$P, os.path.basename(os.readlink(p + '/exe')))"

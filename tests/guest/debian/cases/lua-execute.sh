# SPDX-License-Identifier: GPL-3.0-or-later
$RUN $BIN/lua5.4 -e 'print(os.execute("exit 3")) print(os.execute("kill -9 $$")) print(os.execute("true"))'

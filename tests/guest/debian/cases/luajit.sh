# SPDX-License-Identifier: GPL-3.0-or-later
# packages: luajit lmdb-utils
# cores: functional ooo check
printf 'local t = {} for i = 1, 50 do t[#t + 1] = string.format("%%x", i * i) end print(table.concat(t, " "), ("abc"):rep(3), math.pi)\n' > s.lua; $RUN $BIN/luajit s.lua

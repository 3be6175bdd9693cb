# SPDX-License-Identifier: GPL-3.0-or-later
cat > s.lua <<'S'
local t = {} for i = 1, 1000 do t[i] = (i * 7919) % 1009 end
table.sort(t) print(t[1], t[500], #t)
print(string.format("%5.2f %q %x", math.pi, "a\nb", 255), ("hello"):gsub("l", "L"))
local co = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) print(co(), co(), co())
print(pcall(error, {code = 1}), select("#", 1, nil, 3), 7 // 2, 2^53, 1e15, 10 / 3)
local f = io.open("out", "w") f:write("x", 1, "\n") f:close() for l in io.lines("out") do print(l) end
for l in io.popen("echo a; echo b"):lines() do print(l) end
os.exit(5)
S
$RUN $BIN/lua5.4 s.lua

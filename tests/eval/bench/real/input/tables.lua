-- SPDX-License-Identifier: GPL-3.0-or-later
-- lua: an n-body simulation, permutations, and strings in tables.
local body = {}
for i = 1, 5 do
    body[i] = { x = i * 1.5, y = i * i * 0.25, z = -i * 0.5, vx = 0.01 * i, vy = -0.02 * i, vz = 0.005 * i, m = 1 / i }
end
for _ = 1, 4000 do
    for i, a in ipairs(body) do
        for j = i + 1, #body do
            local b = body[j]
            local dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
            local d2 = dx * dx + dy * dy + dz * dz + 0.01
            local pull = 0.001 / (d2 * math.sqrt(d2))
            a.vx, a.vy, a.vz = a.vx - dx * b.m * pull, a.vy - dy * b.m * pull, a.vz - dz * b.m * pull
            b.vx, b.vy, b.vz = b.vx + dx * a.m * pull, b.vy + dy * a.m * pull, b.vz + dz * a.m * pull
        end
    end
    for _, a in ipairs(body) do a.x, a.y, a.z = a.x + 0.001 * a.vx, a.y + 0.001 * a.vy, a.z + 0.001 * a.vz end
end
print(string.format("%.12f %.12f", body[1].x, body[5].vz))
local count = 0
local function permute(list, n)
    if n == 0 then count = count + list[1] return end
    for i = 1, n do
        list[i], list[n] = list[n], list[i]
        permute(list, n - 1)
        list[i], list[n] = list[n], list[i]
    end
end
permute({ 1, 2, 3, 4, 5, 6, 7 }, 7)
print(count)
local seen = {}
for line in io.lines("text") do
    for word in line:gmatch("%a+") do seen[word:lower()] = (seen[word:lower()] or 0) + 1 end
end
local words = {}
for word in pairs(seen) do words[#words + 1] = word end
table.sort(words, function(a, b) return seen[a] > seen[b] or seen[a] == seen[b] and a < b end)
for i = 1, 10 do print(words[i], seen[words[i]]) end

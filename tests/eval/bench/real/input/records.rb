# SPDX-License-Identifier: GPL-3.0-or-later
# ruby: groups and sorts records, and finds a path through a grid.
Item = Struct.new(:name, :kind, :price)
state = 42
random = ->(n) { state = (state * 1103515245 + 12345) & 0x7fffffff; (state >> 8) % n }
items = Array.new(10_000) { |i| Item.new("item#{random[5000]}", %i[red green blue][random[3]], random[1000]) }
items.group_by(&:kind).sort_by { |kind, _| kind.to_s }.each do |kind, list|
  best = list.sort_by { |item| [-item.price, item.name] }.first(3).map { |item| "#{item.name}=#{item.price}" }
  puts "#{kind} #{list.size} #{list.sum(&:price)} #{best.join(' ')}"
end
side = 60
wall = Array.new(side) { Array.new(side) { random[10] < 3 } }
distance = { [0, 0] => 0 }
queue = [[0, 0]]
until queue.empty?
  x, y = queue.shift
  [[1, 0], [0, 1], [-1, 0], [0, -1]].each do |dx, dy|
    to = [x + dx, y + dy]
    next if to.min < 0 || to.max >= side || wall[to[0]][to[1]] || distance.key?(to)
    distance[to] = distance[[x, y]] + 1
    queue << to
  end
end
puts "#{distance.size} #{distance.values.max}"

# SPDX-License-Identifier: GPL-3.0-or-later
# packages: ruby3.3
# threads: ruby
cat > s.rb <<'S'
q, out, m = Queue.new, [], Mutex.new
ts = 6.times.map { Thread.new { while (n = q.pop) != :end; m.synchronize { out << n * n }; end } }
300.times { |i| q << i }; 6.times { q << :end }; ts.each(&:join)
p out.sum, out.size
c, turn = ConditionVariable.new, 0
rs = 3.times.map { |i| Thread.new { 10.times { m.synchronize { c.wait(m) until turn % 3 == i; turn += 1; c.broadcast } } } }
rs.each(&:join); p turn
p Thread.new { Thread.current[:x] = 1; sleep 0.02; :slept }.value
s = SizedQueue.new(2); w = Thread.new { 20.times { |i| s << i }; s.close }; a = []; while (x = s.pop); a << x; end; w.join; p a
begin; Thread.new { Thread.current.report_on_exception = false; raise "boom" }.join; rescue => e; p e.message; end
r, w = IO.pipe; t = Thread.new { r.read }; w << "through a pipe"; w.close; p t.value
f = Fiber.new { 3.times { |i| Fiber.yield i }; nil }; p 4.times.map { f.resume }
p (1..20).inject(:*), "héllo".unicode_normalize(:nfd).size, [3, 1, 2].sort.to_h { |x| [x, x.to_s * 2] }
S
$RUN $BIN/ruby3.3 s.rb

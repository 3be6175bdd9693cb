# SPDX-License-Identifier: GPL-3.0-or-later
# packages: 
# threads: python3
cat > s.py <<'S'
import threading, queue, concurrent.futures, time, _thread
done, work, lock = [], queue.Queue(), threading.Lock()
def serve():
    while (n := work.get()) is not None:
        with lock: done.append(n * n)
        work.task_done()
ts = [threading.Thread(target=serve, name=f"t{i}") for i in range(8)]
for t in ts: t.start()
for i in range(400): work.put(i)
work.join()
for t in ts: work.put(None)
for t in ts: t.join()
print(len(done), sum(done), threading.active_count())
with concurrent.futures.ThreadPoolExecutor(5) as pool:
    print(list(pool.map(lambda n: sum(range(n)), range(0, 2000, 100))))
    late = [pool.submit(time.sleep, 0.01 * i) for i in range(5)]
    print(len(concurrent.futures.wait(late).done), pool.submit(pow, 3, 100).result() % 1000007)
b = threading.Barrier(4); total = []
def meet(i):
    for r in range(20):
        b.wait()
        with lock: total.append(r)
ts = [threading.Thread(target=meet, args=(i,)) for i in range(4)]
[t.start() for t in ts]; [t.join() for t in ts]
print(total == sorted(total), len(total))
c, s, turn = threading.Condition(), threading.Semaphore(2), [0]
def ring(i):
    for r in range(10):
        with c:
            c.wait_for(lambda: turn[0] % 3 == i); turn[0] += 1; c.notify_all()
ts = [threading.Thread(target=ring, args=(i,)) for i in range(3)]
[t.start() for t in ts]; [t.join(60) for t in ts]
print(turn, s.acquire(timeout=0.01), s.acquire(), s.acquire(timeout=0.01))
fired = threading.Event(); threading.Timer(0.05, fired.set).start(); print(fired.wait(30))
local = threading.local(); local.x = 1
t = threading.Thread(target=lambda: print(hasattr(local, "x"))); t.start(); t.join()
q = queue.PriorityQueue(); [q.put(x) for x in (5, 1, 3)]; print([q.get() for _ in range(3)])
try: q.get(timeout=0.02)
except queue.Empty: print("empty")
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    try: pool.submit(lambda: 1 // 0).result()
    except ZeroDivisionError as e: print(e)
S
$RUN $BIN/python3.13 -B s.py

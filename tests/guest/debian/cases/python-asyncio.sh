# SPDX-License-Identifier: GPL-3.0-or-later
cat > s.py <<'S'
import asyncio
async def main():
    p = await asyncio.create_subprocess_exec("sh", "-c", "cat; exit 3", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
    print(await p.communicate(b"text"), p.returncode)
    await asyncio.sleep(0.05)
    r = await asyncio.gather(*(asyncio.sleep(0.01, i) for i in range(3))); print(r)
asyncio.run(main())
import multiprocessing as mp
def f(x): return x*x
if __name__ == "__main__":
    c = mp.get_context("fork"); q = c.SimpleQueue(); ps=[c.Process(target=lambda i=i: q.put(i*i)) for i in range(3)]
    for p in ps: p.start()
    for p in ps: p.join()
    print(sorted(q.get() for _ in ps))
    l = c.Lock(); v = c.Value('i', 0)
    def inc():
        for _ in range(200):
            with v.get_lock(): v.value += 1
    ps=[c.Process(target=inc) for i in range(3)]
    for p in ps: p.start()
    for p in ps: p.join()
    print(v.value)
S
$RUN $BIN/python3.13 -B s.py

# SPDX-License-Identifier: GPL-3.0-or-later
cat > s.py <<'S'
import subprocess, os, select, signal, mmap
print(subprocess.run(["echo", "hello"], capture_output=True, text=True).stdout)
print(subprocess.check_output("cat | wc -c", shell=True, input=b"12345"))
p = subprocess.Popen(["sleep", "100"]); p.terminate(); print(p.wait())
try: subprocess.run(["/nonexistent"])
except FileNotFoundError as e: print(e)
try: subprocess.run(["sleep", "5"], timeout=0.2)
except subprocess.TimeoutExpired as e: print(e)
pid = os.fork()
if pid == 0: os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
signal.signal(signal.SIGALRM, lambda *a: print("alarm")); signal.setitimer(signal.ITIMER_REAL, 0.3); signal.pause()
r, w = os.pipe(); print(select.select([r], [], [], 0.1)); os.write(w, b"x"); print(len(select.select([r], [], [], 1)[0]))
m = mmap.mmap(-1, 4096)
if os.fork() == 0: m[0:5] = b"child"; os._exit(0)
os.wait(); print(m[0:5])
with open("shared", "wb") as f: f.write(b"." * 5000)
with open("shared", "r+b") as f, mmap.mmap(f.fileno(), 0) as m: m[4000:4004] = b"here"; m.flush()
S
$RUN $BIN/python3.13 -B s.py

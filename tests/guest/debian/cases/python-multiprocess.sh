# SPDX-License-Identifier: GPL-3.0-or-later
cat > s.py <<'S'
import os, sys, socket, time, tempfile, shutil, pathlib, pickle
a, b = socket.socketpair()
if os.fork() == 0:
    b.sendall(pickle.dumps(list(range(100)))); os._exit(0)
b.close(); data = b""
while chunk := a.recv(64): data += chunk
print(sum(pickle.loads(data))); os.wait()
r, w = os.pipe()
for i in range(4):
    if os.fork() == 0: os.write(w, bytes([65 + i])); os._exit(i)
print(sorted(os.waitstatus_to_exitcode(os.wait()[1]) for _ in range(4)), sorted(os.read(r, 10)))
t0 = time.monotonic(); time.sleep(0.05); print(time.monotonic() - t0 >= 0.05)
d = tempfile.mkdtemp(dir="."); (pathlib.Path(d) / "f").write_text("x"); shutil.copytree(d, "copy"); shutil.rmtree(d)
print(sorted(os.listdir("."))); print(os.uname().machine, sys.byteorder)
sys.exit(9)
S
$RUN $BIN/python3.13 -B s.py

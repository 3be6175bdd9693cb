# SPDX-License-Identifier: GPL-3.0-or-later
cat > s.py <<'S'
import fcntl, os, pty, signal, struct, termios, tty
def start(program):
    pid, fd = pty.fork()
    if pid == 0:
        program(); print("ready", flush=True); signal.pause()
    seen = b""
    while b"ready\r\n" not in seen: seen += os.read(fd, 100)
    return pid, fd, seen
def leave(number, say):
    def handle(*_): os.write(1, f"{say()}\n".encode()); os._exit(number)
    return handle
def resized():
    print(os.isatty(0), os.getsid(0) == os.getpid(), os.tcgetpgrp(0) == os.getpgrp(), flush=True)
    signal.signal(signal.SIGWINCH, leave(7, lambda: os.get_terminal_size()))
pid, fd, seen = start(resized)
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 90, 0, 0))
try:
    while True: seen += os.read(fd, 100)
except OSError as e: print(e.errno)
print(seen, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
pid, fd, seen = start(lambda: signal.signal(signal.SIGINT, leave(5, lambda: "interrupted")))
os.write(fd, b"\x03"); print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
pid, fd, seen = start(lambda: None)
os.close(fd); print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
master, slave = pty.openpty(); print(os.isatty(slave), os.ttyname(slave).startswith("/dev/pts/"))
tty.setraw(slave); os.write(master, b"abc\x03"); print(os.read(slave, 10), termios.tcgetattr(slave)[3])
os.write(slave, b"x\n"); print(os.read(master, 9))
S
$RUN $BIN/python3.13 -B s.py

# guest: threads ./mix
# Threads, a signal that gdb passes on, a forked process with the breakpoints' instructions in its memory, execve.
break turn
continue
info threads
continue
continue
continue
print got

signal SIGUSR1

# guest: threads
# A signal that is not reported, and a fault. qemu-riscv64 gives the same answers.
handle SIGUSR1 nostop noprint pass
continue
backtrace
print got
print turns
continue

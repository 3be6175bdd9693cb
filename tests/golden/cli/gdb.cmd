# What --gdb refuses, before the guest starts. Sessions are in tests/guest/gdb.
pcemu --gdb nothing --no-program $workloads/sort
pcemu --gdb 99999 --no-program $workloads/sort
pcemu --gdb 127.0.0.1: --no-program $workloads/sort
pcemu --gdb ./missing/socket --no-program $workloads/sort
pcemu --gdb ./$(printf '%0120d' 0) --no-program $workloads/sort
pcemu --gdb 0 -x - $workloads/sort
pcemu --gdb 0 --confine $workloads/sort
pcemu --gdb 0 --core samples:-
pcemu --gdb - --program - $workloads/sort
pcemu --core replay:run.rec --gdb 0 $workloads/sort
# A peer that sends no packets and goes: the guest ends.
pcemu --gdb - --no-program $workloads/sort < /dev/null

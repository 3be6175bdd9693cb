# The event trace, of a guest whose every word and address is fixed: a load, a store that is forwarded, a branch that a cold predictor gets
# wrong, a system call.
cat > tiny.s <<'END'
    .globl _start
_start:
    lui  s0, 0x20
    ld   t0, 0(s0)
    sd   t0, 8(s0)
    ld   t1, 8(s0)
    beq  t1, t0, 1f
    addi t2, zero, 1
    mul  t2, t2, t2
1:  addi a0, zero, 7
    addi a7, zero, 93
    ecall
    .data
    .quad 42, 0
END
riscv64-linux-gnu-gcc -march=rv64g -nostdlib -static -Wl,--build-id=none -Wl,-Ttext=0x10000 -Wl,-Tdata=0x20000 -o tiny tiny.s
run() { echo "pcemu $*"; pcemu --no-program "$@" ./tiny; echo "= $?"; }
run --trace retire,squash
run --trace load,issue --trace-window insts:0-3
run --trace fetch --trace-window insts:1-3
run --trace commit --trace-window cycles:0-16
run --trace all --trace-window 0x10010:3 --trace-file log
cat log
run --core inorder --trace map,ready,done,commit --trace-window _start:2
run --trace all --trace-window cycles:900k-1M
run --kanata k --trace fetch --kanata-window 0x10020:1 --trace-window 0x10014:1
wc -l < k
pcemu --trace help
run --trace fetched
run --trace fetch,
run --trace ""
run --trace-window main
run --trace-file log
run --trace fetch --trace-window 5-9
run --trace fetch --trace-window insts:3-3
run --trace fetch --trace-window cycles:-1-5
run --trace fetch --trace-window _start:0
run --trace fetch --trace-window _start:99999999999999999999
run --trace fetch --trace-file missing/log
run --core functional --trace fetch
pcemu --core samples:- --trace fetch < /dev/null
# A short window, in which instructions retire that were fetched before.
pcemu --no-program --profile oracle --trace retire --trace-window insts:5-7 --max-insts 20000 -o /dev/null "$workloads/sort" 8

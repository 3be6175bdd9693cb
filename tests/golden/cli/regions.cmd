# Parts of a run: skipping, warming, starting and stopping at a place; the check; the pipeline log. Counts depend on the compiler that
# made the workload, and are not shown.
cp "$workloads/invariant" .
run() {
    echo "pcemu $*"
    status=0
    pcemu --no-program "$@" ./invariant 1 > out 2>&1 || status=$?
    sed 's/[0-9][0-9,]* instructions/N instructions/' out
    echo "= $status"
}
run --core ooo --check
run --core inorder --check
run --skip-insts 300000 --warm --warmup 50000 --max-insts 100000 --check
run --start-at main --stop-at main --check
run --core functional --stop-at main
run --skip-insts 100000000
run --start-at nowhere
run --warmup 100000000
run --core functional --stop-at 0x4
run --max-insts 5000 --stop-at 0x4
run --core inorder --start-at main --stop-at 0x4
run --kanata k.log --kanata-window main:64
head -n 1 k.log
grep -c '^I' k.log
grep -c '^R' k.log
run --kanata k.log --kanata-window cycles:9-3
run --kanata-window main
run --core functional --check
run --core functional --warmup 5
run --warm
run --warm --skip-insts 0 --warmup 5
run --warm --start-at main --max-insts 5
run --core inorder --config boom --max-insts 1000 --check
run --core ooo --config ev5 --max-insts 1000 --check
# Numbers of instructions in thousands, millions and billions.
for n in 20k 20000; do pcemu --no-program --max-insts $n --skip-insts 2k --warmup 1k --format json --stats - "$workloads/invariant" | jq .core.retired; done
pcemu --core functional --no-program --max-insts 0M "$workloads/invariant" 1
pcemu --core functional --no-program --max-insts 1G "$workloads/invariant" 1

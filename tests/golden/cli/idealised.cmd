# Idealised instructions: their causes, bad places and causes, cores that cannot; and that the guest's results stay.
cp "$workloads/sort" .
run() {
    echo "pcemu $*"
    status=0
    pcemu --no-program --max-insts 200000 --check "$@" ./sort 6 > out 2>&1 || status=$?
    cat out
    echo "= $status"
}
pcemu --ideal help
run --ideal main:branch+l1d --ideal all:latency --ideal 0x10000+4:icache
run --ideal main+0x4:dtlb
run --ideal main
run --ideal :branch
run --ideal main:
run --ideal main:brunch
run --ideal main:branch+
run --ideal nowhere:branch
run --ideal main+x:branch
run --core inorder --ideal main:branch
run --core functional --ideal main:branch
run --harts 2 --ideal main:branch

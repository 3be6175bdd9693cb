# A procedure named by a place in it, and code without a symbol.
export SOURCE_DATE_EPOCH=1000000000
cp "$workloads/sort" .
try() { "$@"; status=$?; [ $status = 0 ] || echo "-> $status"; }
pcemu --no-program --profile tip:period=31,counts --collect s.db -o report.txt ./sort 8 > out
pcprof calc s.db sort:quicksort+0x2 | grep '^procedure'
try pcprof calc s.db quicksort+0x100000
try pcprof calc s.db quicksort+0xno
riscv64-linux-gnu-strip -o bare sort
pcemu --no-program --profile tip:period=31,counts --collect bare.db -o report.txt ./bare 8 > out
name=$(pcprof summary --format json bare.db | jq -r '.procedures[0].procedure')
[ "$(pcprof calc --format json bare.db "$name" | jq -r .procedure)" = "$name" ] && echo "a procedure without a symbol"
try pcprof calc bare.db '[bare]' 2>&1 | cut -c 1-40
try pcprof calc bare.db main+0x2

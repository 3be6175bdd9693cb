# Profiles of a store for other tools, and what is missing in it. tests/check_export.sh opens them with the tools.
export SOURCE_DATE_EPOCH=1000000000
cp "$workloads/sort" . # the guest knows its path
pcasm "$programs/callstack.pasm" -o callstack.pc
try() { "$@"; status=$?; [ $status = 0 ] || echo "-> $status"; }
pcemu --max-insts 60k --program callstack.pc --profile counts,tip:period=101 --collect s.db:a -o 1.txt ./sort 8 > out 2> err
pcemu --max-insts 60k --no-program --profile tip:period=101 --collect s.db:b -o 2.txt ./sort 8 > out 2> err
# The guest is gone: the store has what it needs.
mv sort gone
pcprof export --to folded s.db:a | grep quicksort | head -n 3
pcprof export --to autofdo-clang s.db:a | head -n 5
pcprof export --to autofdo-gcc s.db:a | od -A d -t x4 -N 20
pcprof export --to callgrind --event cycles s.db:a | head -n 9
for format in perf pprof callgrind folded speedscope autofdo-clang autofdo-gcc; do
    pcprof export --to $format -o once s.db:a && pcprof export --to $format s.db:a | cmp - once && echo "$format: the same again"
done
try pcprof export --to perf s.db
try pcprof export --to gprof s.db:a
try pcprof export --to perf --event flops s.db:b
try pcprof export --to speedscope s.db:b
try pcprof export --to autofdo-gcc s.db:b
try pcprof export --to perf -o no/such/folder s.db:b
try pcprof export --to perf none.db
try pcprof export

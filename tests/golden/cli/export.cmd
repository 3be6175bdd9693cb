# Profiles of a store for other tools, and what is missing in it. tests/checks/check_export.sh opens them with the tools.
export SOURCE_DATE_EPOCH=1000000000
cp "$workloads/sort" .
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
for format in perf pprof callgrind folded speedscope firefox lcov autofdo-clang autofdo-gcc; do
    pcprof export --to $format -o once s.db:a && pcprof export --to $format s.db:a | cmp - once && echo "$format: the same again"
done
try pcprof export --to perf s.db
try pcprof export --to gprof s.db:a
try pcprof export --to perf --event flops s.db:b
try pcprof export --to speedscope s.db:b
try pcprof export --to firefox s.db:b
try pcprof export --to bolt s.db:b
try pcprof export --to autofdo-text s.db:b
try pcprof export --to autofdo-gcc s.db:b
try pcprof export --to lcov s.db:b
try pcprof export --to lcov --event taken s.db:a
try pcprof export --to perf -o no/such/folder s.db:b
try pcprof export --to perf none.db
try pcprof export
# Several events; those of call paths are also samples, of the youngest function.
pcprof export --to callgrind --event retired --event call_paths.events s.db:a | grep '^events'
pcprof prof --event call_paths.events --format csv s.db:a | grep 'call_paths.events,'
pcprof export --to folded s.db:a | awk '{ sum += $NF } END { print sum }'
try pcprof merge new.db none.db
ls new.db 2>&1
# A line that is inlined into two procedures; a clone, which is called; runs with other options.
cat > lines.c <<'C'
static inline int f(int x) { return x / 3 * 7 % 11; }
__attribute__((noinline)) int small(int x) { return f(x); }
__attribute__((noinline)) int big(int n) { int s = 0; for (int i = 0; i < n; i++) s += f(i); return s; }
static __attribute__((noinline)) int hot(int n) { volatile int s = 0; for (int i = 0; i < n; i++) s += i * 3; return s; }
int main(void) { int t = small(5) + big(3000); for (int i = 0; i < 10; i++) t += hot(100); return t & 1; }
C
riscv64-linux-gnu-gcc -O2 -g -static -o lines lines.c
for period in 101 103; do
    pcemu --no-program --profile oracle,counts,paths,tip:period=$period,profileme:period=50 --collect l.db -o once lines
done
for format in bolt autofdo-text; do
    pcprof export --to $format -o once l.db:1 && pcprof export --to $format l.db:1 | cmp - once && echo "$format: the same again"
done
pcprof prof --by line --format csv l.db:1 | grep -o '[^,]*,lines.c:[123],' | sort
pcprof diff --by line --format csv l.db:1 l.db:2 | grep -o '[^,]*,lines.c:[123],' | sort
pcprof export --to autofdo-clang l.db:1 | grep -A 1 '^hot'
try pcprof calc l.db big
# Static functions of two files with one name.
echo 'int a(int); int b(int); int main(void) { return a(10) + b(300) == 5; }' > main.c
echo 'static __attribute__((noinline)) int work(int n) { volatile int s = 0; while (n-- > 0) s += n; return s; }
int a(int n) { return work(n); }' > a.c
{ echo; echo; sed 's/int a/int b/' a.c; } > b.c
riscv64-linux-gnu-gcc -O1 -g "-fdebug-prefix-map=$PWD=/src" -static -o twins main.c a.c b.c
pcemu --no-program --profile counts --collect t.db -o once twins || :
pcprof export --to autofdo-clang t.db | grep -A 1 '^work'
# Split debugging information: with its file, without it, and with one that cannot be read, which would block.
for version in 4 5; do
    riscv64-linux-gnu-gcc -O2 -gdwarf-$version -gsplit-dwarf "-fdebug-prefix-map=$PWD=/src" -static -o split lines.c
    mv ./*.dwo split-lines.dwo 2> /dev/null || :
    pcemu --no-program --profile counts --collect with$version.db -o once split
    pcprof export --to autofdo-clang with$version.db | grep -A 2 '^big'
    mv split-lines.dwo gone
    pcemu --no-program --profile counts --collect without$version.db -o once split
    pcprof prof --by line --event retired --format csv without$version.db | grep -o 'big,lines.c:[123],'
    try pcprof export --to autofdo-clang without$version.db
    mkfifo split-lines.dwo
    pcemu --no-program --profile counts --collect blocked$version.db -o once split
    rm split-lines.dwo
done

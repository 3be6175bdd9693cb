# pcprof why: programs with a known cause, what a store lacks, and errors.
cp "$workloads/sort" "$workloads/hashjoin" "$build/cases/divisor.before" .
collect() { # STORE PROFILERS GUEST OPTION...
    store=$1 profilers=$2 guest=$3
    shift 3
    pcemu --no-program --max-insts 1M --profile "$profilers" --collect "$store" -o report "$@" "./$guest" > out 2> err
}
for guest in sort hashjoin divisor.before; do
    echo "== $guest"
    collect $guest.db oracle,topdown,counts $guest --stacks
    pcprof why $guest.db
done
echo '== another function'
pcprof why sort.db main
echo '== JSON'
pcprof why --format json sort.db | jq -r '.findings[] | "\(.kind) \(.function // "-") \(.share // "-") \(.cause // "-") \(.address // "-")"'
echo '== gains'
collect gain.db oracle divisor.before --gain 3
pcprof why gain.db | sed -n '/^Without/,/^$/p'
pcprof prof --by instruction --event gain.latency --top 2 gain.db
collect graph.db oracle,graph divisor.before
pcprof why graph.db | sed -n '/^Without/,/^$/p; /^These/,/^$/p'
echo '== much time and little gain: the order of the advice, and what is left out'
cp "$build/cases/below.before" below
collect below.db oracle,topdown below --gain 4
pcprof why below.db | sed -n '/^Try/,/^$/p; /^Without/,/^$/p; /^These/,/^$/p'
pcprof why --format json below.db main | jq -c '.findings[] | select(.kind == "try" or .kind == "hidden") | [.kind, .cause, (.share // 0) * 1000 | if type == "number" then round else . end]'
cat > hidden.c << 'C'
/* The divisions and the miss of an iteration begin together: the divisions take time, and their removal gains nothing. */
static volatile unsigned char data[8 << 20];
int main(void)
{
    unsigned long at = 0, sum = 0;
    for (int n = 0; n < 3000; n++) {
        sum += 1000000007 / (1000000009 / (1000000021 / (1000000033 / (at + 1) + 1) + 1) + 1);
        at = (at * 1664525 + 1013904223 + data[at * 64]) & ((1 << 17) - 1);
    }
    return sum == 1;
}
C
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -g -static -o hidden hidden.c
pcemu --no-program --profile oracle,topdown --gain 4 --collect hidden.db -o report ./hidden > out
pcprof why hidden.db | sed -n '/% of its issue slots/p; /^Try/,/^$/p; /^Without/,/^$/p'
echo '== without causes, by samples'
collect tip.db tip sort
pcprof why tip.db
echo '== errors'
pcprof why sort.db quicksor
pcprof why
pcprof why none.db
collect counts.db counts sort
pcprof why counts.db
echo '== the function with most time loses little: another one loses more'
cat > slow.c << 'C'
unsigned long chase(unsigned long n)
{
    for (unsigned i = 0; i < 1500; i++)
        n = n / 3 + 1000000007;
    return n;
}
C
cat > busy.c << 'C'
unsigned long chase(unsigned long n);
__attribute__((noinline)) static unsigned long mix(unsigned long n)
{
    unsigned long a = n, b = n, c = n, d = n;
    for (unsigned i = 0; i < 20000; i++) {
        a += i;
        b ^= i;
        c -= i;
        d |= i;
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
    }
    return a + b + c + d;
}
int main(void) { return chase(mix(3)) == 1; }
C
cc() { "${RVCC:-riscv64-linux-gnu-gcc}" -O1 "$@"; }
mkdir static shared
cc -static -o static/busy busy.c slow.c
pcemu --no-program --profile oracle,topdown --collect busy.db -o report static/busy > out
pcprof why busy.db | grep -v '^$' | head -12
echo '== misses of several levels, none of which is most of the time'
cat > levels.c << 'C'
static volatile unsigned char data[8 << 20];
static unsigned long walk(unsigned long at, unsigned long lines, int steps)
{
    for (int i = 0; i < steps; i++) {
        at = (at * 5 + 1 + data[at * 64]) & (lines - 1);
        for (int k = 0; k < 20; k++)
            __asm__ volatile("addi %0, %0, 0" : "+r"(at));
    }
    return at;
}
int main(void)
{
    unsigned long at = 0;
    for (int i = 0; i < 4; i++)
        at = walk(walk(walk(at, 1 << 10, 8000), 1 << 13, 400), 1 << 17, 50);
    return at == 1 << 20;
}
C
cc -static -g -o levels levels.c
pcemu --no-program --profile oracle,topdown --collect levels.db -o report ./levels > out
pcprof why levels.db | sed -n '/^[0-9]* % of its issue slots/,/^$/p; /^Try/,/^$/p'
echo '== paths of calls'
cat > calls.c << 'C'
#define APART __attribute__((noinline))
static volatile unsigned long n;
APART static void work(int turns)
{
    for (int i = 0; i < turns; i++)
        n = n * 5 + 1;
}
APART static void left(int turns)
{
    work(turns);
    n++;
}
APART static void right(int turns)
{
    work(turns);
    n--;
}
APART static void middle(int turns)
{
    left(4 * turns);
    right(4 * turns);
    work(turns);
}
APART static void outer(int turns)
{
    middle(turns);
    n++;
}
int main(void)
{
    outer(300);
    right(300);
}
C
cc -static -g -o calls calls.c
pcemu --no-program --profile oracle --stacks --collect calls.db -o report ./calls > out
pcprof why calls.db | grep -v 'pcprof\|^$' | sed -n '1,/^Why/p'
pcprof why calls.db left | sed -n '/called/,/^ /p'
pcprof why calls.db middle | sed -n '/called/,/^ /p'
pcprof why calls.db outer | sed -n '/called/,/^ /p'
pcprof why --format json calls.db | jq -c '.findings[] | select(.kind == "path" or .kind == "callers") | [.kind, .function, .share]'
echo '== causes and gains in a library'
cc -g -shared -fPIC -o shared/libslow.so slow.c
cc -o shared/busy busy.c -Lshared -lslow '-Wl,-rpath,$ORIGIN'
pcemu --no-program -L /usr/riscv64-linux-gnu --profile oracle,topdown --gain 1 --collect shared.db -o report shared/busy > out
pcprof why shared.db chase | grep -E 'libslow|annotate'
riscv64-linux-gnu-strip -g shared/libslow.so
pcemu --no-program -L /usr/riscv64-linux-gnu --profile oracle,topdown --gain 1 --collect stripped.db -o report shared/busy > out
pcprof why stripped.db chase | grep -E 'libslow|annotate'
echo '== runs that begin behind a skipped part'
pcemu --no-program --checkpoint-at 1000 -o checkpoints static/busy --skip-insts > out 2>&1
for options in '--skip-insts 1000' '--start-at=mix' '--skip-insts 1000 --warm' '--skip-insts 1000 --warmup 500' --restore \
    '--skip-insts 10 --warm --restore' '--warmup 10 --restore' '--ski=10' '--warm --start mix' \
    "--env '--skip-insts'=1" '-E --skip-insts=1'; do
    rm -f part.db
    guest='static/busy --skip-insts'
    case $options in *--restore) guest=checkpoints/1000.ckpt ;; esac
    eval "pcemu --no-program --profile oracle --collect part.db -o report $options $guest" > out
    echo "$options: $(pcprof why --format json part.db | jq -c '[.findings[] | select(.kind == "runs").text]')"
done
echo '== runs of which some were stopped'
for most in 10k 20k 1M; do
    pcemu --no-program --max-insts $most --profile oracle --collect several.db -o report static/busy > out
done
for runs in 3 1-3 1,2 1; do
    echo "$runs: $(pcprof why --format json several.db:$runs | jq -c '[.findings[] | select(.kind == "runs").text]')"
done
echo '== words for the shell'
mv tip.db "it's a store.db"
pcprof why "it's a store.db" | grep pcprof

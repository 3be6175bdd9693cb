# Call paths of a guest whose functions begin with inlined calls: a flame graph, callgrind and the page name the function
# itself, with the number of events that the table of procedures has. The exact counts of instructions keep their
# inlined calls.
export SOURCE_DATE_EPOCH=1000000000
pcasm "$programs/callstack.pasm" -o callstack.pc
cat > inlined.c <<'C'
static inline __attribute__((always_inline)) unsigned *next(unsigned *i) { return *i % 3 ? i + 1 : i + 2; }
static __attribute__((noipa)) unsigned loop(unsigned *i, const unsigned *end)
{
    unsigned sum = 0;
    for (i = next(i); i < end; i = next(i))
        if (*i & 4096)
            sum += *i;
    return sum;
}
int main(void)
{
    static unsigned a[3000];
    unsigned x = 1, sum = 0;
    for (int i = 0; i < 2998; i++)
        a[i] = x = x * 1664525u + 1013904223u;
    for (int i = 0; i < 3; i++)
        sum += loop(a, a + 2998);
    return sum & 1;
}
C
"${RVCC:-riscv64-linux-gnu-gcc}" -O2 -g -static "-fdebug-prefix-map=$PWD=/src" -o inlined inlined.c
pcemu --program callstack.pc --profile counts --collect s.db -o once inlined || :
pcprof export --to folded s.db | grep loop > folded
sed 's/ .*//' folded
[ "$(pcprof prof --event call_paths.events --format csv s.db | awk -F, '$0 ~ /,loop,/ { print $2 }')" = "$(
    awk '{ sum += $NF } END { print sum }' folded)" ] || echo 'folded: another number of events'
pcprof export --to callgrind --event call_paths.events s.db | awk '/ loop$/ { split($1, name, "="); fn = "fn=" name[2] }
    $0 == fn { on = 1 }
    on && /^0x/ { print "callgrind: line " $2; exit }'
pcprof export --to speedscope s.db | jq -c '[.shared.frames[] | select(.file != null) | .name] | unique'
pcprof report -o page.html s.db
sed -n 's|.*id="trees">\(.*\)</script>$|\1|p' page.html | base64 -d | gzip -dc |
    jq -c '[.names[] | select(. == "loop" or . == "next" or . == "main")] | sort'
pcprof export --to pprof --event retired s.db | gzip -dc | grep -aq next && echo "pprof: next has instructions"
pcprof export --to autofdo-clang --event call_paths.events s.db

# Several harts: false sharing and how it is found, a co-processor shared by all or one for each, reports by hart.
cat > counters.c <<'END'
#include <pthread.h>
#include <stdio.h>
enum { THREADS = 3, ROUNDS = 3000 };
static struct {
    volatile long n;
    char apart[APART];
} counter[THREADS + 1] __attribute__((aligned(64)));
__attribute__((noinline)) static void count(volatile long *n)
{
    for (long i = 0; i < ROUNDS; i++)
        ++*n;
}
static void *work(void *i)
{
    count(&counter[(long)i].n);
    return NULL;
}
int main(void)
{
    pthread_t t[THREADS];
    long sum = 0;
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, (void *)(i + 1));
    count(&counter[0].n);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i <= THREADS; i++)
        sum += counter[i].n;
    printf("%ld\n", sum);
    return 0;
}
END
riscv64-linux-gnu-gcc -O1 -static -pthread -DAPART=0 -o near counters.c
riscv64-linux-gnu-gcc -O1 -static -pthread -DAPART=56 -o apart counters.c
run() { pcemu --harts 4 "$@"; }
cycles() { jq '.harts[0].cycles' "$1"; }
for core in ooo inorder; do
    echo "--- threads on harts: $core"
    for guest in near apart; do
        for harts in 1 4; do
            pcemu --harts $harts --core $core --no-program --format json --stats $guest.$harts ./$guest
        done
        echo "$guest: $(jq -n --slurpfile one $guest.1 --slurpfile four $guest.4 \
            '$four[0].harts | length, (map(.retired) | add - $one[0].core.retired < 4000),
             all(.[]; .cycles == $four[0].harts[0].cycles)' | tr '\n' ' ')"
    done
done
echo '--- false sharing costs time, and is found'
run --no-program --profile counts,counter:event=hitm:period=50 --format json -o near.json --stats near.stats ./near
run --no-program --profile counts,counter:event=hitm:period=50 --format json -o apart.json --stats apart.stats ./apart
awk "BEGIN { print ($(cycles near.stats) > $(cycles apart.stats)) }"
jq -n --slurpfile near near.stats --slurpfile apart apart.stats \
    '[$near, $apart] | map(.[0].harts | map(.hitm) | add) | .[0] > 2 * .[1]'
jq -r '[.. | objects | select(has("function") and has("samples"))] | max_by(.samples) | .function' near.json
echo '--- the same bytes twice'
run --no-program --profile oracle,tip:period=101,profileme:period=50 --format json -o a.json ./near
run --no-program --profile oracle,tip:period=101,profileme:period=50 --format json -o b.json ./near
cmp a.json b.json && echo equal
echo '--- the sum of the reports by hart'
run --no-program --profile oracle,counts --by-hart --format json -o all.json ./near
ls all.json.*
for value in .instructions '([.counts.instructions[].profiles[0].counts.retired] | add)'; do
    jq -s "(.[0] | $value) == (.[1:] | map($value) | add)" all.json all.json.hart?
done
jq -c '[.harts, .hart]' all.json all.json.hart1
"$programs/../tests/checks/check_schema.sh" all.json all.json.hart? && echo "as the schema has them"
echo '--- windows have all cycles, also those behind the last instruction of a hart'
run --no-program --profile ipc --by-hart --format json -o ipc.json ./near
jq '.cycles as $cycles | .ipc[0] | .windows == ($cycles / .window | floor)' ipc.json.hart?
echo '--- which hart a sample is of'
cat > hart.pasm <<'END'
            .program hart
            .base   harts = 0
            .index  slot, width 3
            .filter class branch
            .entry  branch look
            .slot   harts[8] { branches : 64 }
look:       mov     hart -> slot
            inc     harts[slot].branches | done
END
pcasm -o hart.pc hart.pasm
run --program hart.pc --set cop_ideal=yes --set host_free=yes --format json -o hart.json ./near
jq -c '.layouts[0].rows | sort_by(.slot) | map([.slot, .members.branches > 3000])' hart.json
echo '--- a co-processor for each hart'
pcasm -o edge.pc "$programs/edge.pasm"
run --program edge.pc --set cop_per_hart=yes --set cop_ideal=yes --by-hart --format json -o edge.json ./near
for value in .processed '.layouts[0].score.exact_events'; do
    jq -s "(.[0] | $value) == (.[1:] | map($value) | add)" edge.json edge.json.hart?
done
pcasm -o value.pc "$programs/value.pasm"
run --program value.pc --set cop_per_hart=yes -o value.txt ./near
grep -c 'profiling program' value.txt
echo '--- sums over all harts: stacks, events, paths'
run --no-program --profile tea-oracle,tea:period=101,paths,counter:event=retired:period=1000 --format json -o all.json ./near
jq '(.pics | .cycles * .per_cycle == .profilers[0].time), .counters.events[0].total == .instructions,
    (.paths.samplers[0] | .samples + .squashed + .in_flight == .selected and .edges > 0),
    (.counters.samples[0].functions[0].function == "count")' all.json
echo '--- what is refused'
run --harts 9 ./near
run --harts 0 ./near
run --core functional ./near
run --no-program --profile counts --sort hitm --top 1 -o - ./near | grep -c ' HITM '
run --program edge.pc --by-hart -o /dev/null ./near
pcemu --by-hart ./near
run --config ev6 --no-program ./near
for option in --check '--record r' '--kanata k' '--trace fetch' '--stop-at main' --follow-children -i; do
    run --no-program $option ./near
done
echo '--- time of idle harts has a name of its own, in functions, instructions and cycle stacks'
for harts in 1 4; do
    pcemu --harts $harts --no-program --profile oracle,tea-oracle -o idle.txt ./near
    grep -o '([a-z ]*)$' idle.txt | sort | uniq -c | tr -s ' '
    pcemu --harts $harts --no-program --profile oracle,tea-oracle --format json -o idle.json \
        $([ "$harts" = 1 ] || echo --by-hart) ./near > out
    for report in idle.json idle.json.hart*; do
        [ ! -e "$report" ] || jq -c '[.time.stack[-1].category]
            + ([.time.profilers[], .time.instructions[], .pics.stacks[] | .categories // {} | keys[] | select(test("handler"))]
                | unique)' "$report"
    done
    rm -f idle.json*
done
echo '--- a store has the number of harts; a comparison is one of lengths, and says what its rows are'
export SOURCE_DATE_EPOCH=1000000000
for harts in 1 4; do
    pcemu --harts $harts --no-program --profile oracle,tip:period=101,counter:event=loads:period=101 \
        --collect h.db:on$harts -o /dev/null ./near
done
pcprof list --format json h.db | jq -c '.runs[] | [.epoch, .harts]'
pcprof list --format csv h.db | grep '^runs,' | cut -d , -f 3,7
pcprof list h.db | awk '/ boom / { print $2, $6 }'
sqlite3 h.db 'SELECT epoch, harts FROM runs'
pcprof report h.db:1-2 -o h.html 2> err || cat err
sed -n 's|.* id="data">\(.*\)</script>$|\1|p' h.html | jq -c '[.runs[].harts]'
sentence() { pcprof diff --format json "$@" | jq -r '.change, .harts // "no line of harts"'; }
pcprof list --format json h.db | jq -r '.runs | map(.cycles) | @tsv' | awk '{ change = 100 * ($2 - $1) / $1
    printf "h.db:on4 has %.2f %% %s cycles per run than h.db:on1.\n", change < 0 ? -change : change, change < 0 ? "fewer" : "more" }' > lengths
sentence h.db:on1 h.db:on4 > changed && head -n 1 changed | cmp - lengths && tail -n 1 changed
sentence --event cycles@oracle h.db:on1 h.db:on4 | cmp - changed && echo same
sentence --event loads h.db:on1 h.db:on4 > loads && grep -c ' loads per run' loads && tail -n 1 loads
sentence h.db:1-2 h.db:on4 | tail -n 1
sentence h.db:1 h.db:on1
pcprof diff --format json --event cycles@oracle h.db:on1 h.db:on4 | jq -c '(.sides | map(.harts)), (.sides[1].length * 4 == .difference[0].after)'
pcprof diff --format json h.db:1-2 h.db:on4 | jq -c '.sides | map(.harts)'
echo '--- the table of procedures and the page call idle time the same'
for by in procedure image line instruction; do
    pcemu --harts 4 --no-program --profile oracle --collect idle.db -o idle.txt ./near > out
    pcprof prof --by $by idle.db | grep -c 'idle or handler'
    rm idle.db
done
pcemu --harts 4 --no-program --profile oracle --collect idle.db -o idle.txt ./near > out
pcprof report -o idle.html idle.db 2> err
grep -c '"procedure":"\[idle or handler\]"' idle.html
pcemu --harts 4 --no-program --profile counter:event=loads:period=101 --collect loads.db -o loads.txt ./near > out
pcprof report -o loads.html loads.db 2> err
for page in idle loads; do
    sed -n 's|.* id="data">\(.*\)</script>$|\1|p' $page.html | jq -c '[.columns[].event, .no_place]'
done
echo '--- slots that wait for lines that another hart has modified, and the sentence'
for guest in near apart; do
    run --no-program --profile oracle,topdown,counts --format json -o t.json --collect $guest.db ./$guest > out
    jq -r '[.topdown.categories[] | select(.category | endswith(".data.hitm")) | .slots > 0] | any' t.json
    pcprof why --format json $guest.db count | jq -r '.findings[] | select(.kind == "rates") | .text' |
        sed 's/.*and \([0-9.]*\) access a line/\1/; s/^0\.0 .*/none/; s/^[0-9.]* that/accesses that/'
done

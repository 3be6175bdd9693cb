# The profiler sharing, and what pcprof why says of it: members in one line, members in lines of their own, data that
# all harts update, more harts and data than are kept, and two programs with a line at one address.
cat > shared.c << 'C'
#include <pthread.h>
struct tally {
    char name[8];
    volatile long count[2];
    struct {
        volatile int low, high;
    } range;
};
static _Alignas(64) struct tally near[2];
static struct {
    _Alignas(64) struct tally tally;
} far[2];
static long both;
static long hart_of(void *a) { return (long)a; }
static void *run(void *a)
{
    const long id = hart_of(a);
    for (int i = 0; i < 2000; i++) {
#ifdef NEAR
        near[id].count[1] += i;
        near[id].range.high = i;
#elif defined(FAR)
        far[id].tally.count[1] += i;
        far[id].tally.range.high = i;
#else
        __atomic_fetch_add(&both, i, __ATOMIC_RELAXED);
#endif
    }
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, run, (void *)1L);
    run((void *)0L);
    pthread_join(t, 0);
    return near[0].count[1] + far[1].tally.count[1] == both && both == 1;
}
C
for kind in NEAR FAR BOTH; do
    echo "== $kind"
    "${RVCC:-riscv64-linux-gnu-gcc}" -O1 -g -static -pthread -D$kind -o shared shared.c
    pcemu --no-program --harts 2 --profile sharing,oracle,topdown,counts --collect $kind.db --format json -o report.json ./shared
    # The accesses to the program's variables, and the addresses beside those of the symbol table.
    jq -r '.sharing.data[] | select(.accesses > 30 and .data != null) | "\(.sharing) hart \(.hart) \(.data) \(.bytes) bytes, \(if .writes then "writes" else "reads" end) in \(.function)"' report.json | LC_ALL=C sort
    variable=$(echo $kind | tr A-Z a-z)
    base=$(riscv64-linux-gnu-nm shared | awk -v name="$variable" '$3 == name { print $1 }')
    jq -r --arg name "$variable" '.sharing.data[] | select(.accesses > 30 and (.data // "" | startswith($name))) | "\(.data) \(.data_address)"' report.json |
        sort -u | while read -r data address; do echo "$data: $variable + $(($(printf '%d' "$address") - 0x${base:-0}))"; done
    # counts has them as hitm, with those of squashed instructions.
    hitm=$(pcprof prof --event hitm@counts $kind.db | awk '$1 == "hitm" && $2 == "counts" { gsub(",", ""); print $7 }')
    jq --argjson hitm "$hitm" '.sharing | ([.data[].accesses] | add) == .accesses and .accesses <= $hitm and .accesses > 0.9 * $hitm - 10' report.json
    pcprof why $kind.db | sed -n '/^Harts/,/^$/p'
done
echo '== eight harts: the data with most accesses, which are at the end of the line'
cat > eight.c << 'C'
#include <pthread.h>
enum { HARTS = 8 };
static _Alignas(64) struct {
    volatile short first, second, third, fourth;
} own[HARTS];
static void *run(void *a)
{
    const long id = (long)a;
    for (int i = 0; i < 1200; i++) {
        if (id < 4 && i % 8 != 0)
            continue;
        own[id].fourth++;
        if (i % 2 == 0)
            own[id].third++;
        if (i % 4 == 0)
            own[id].second++;
        if (i % 16 == 0)
            own[id].first++;
    }
    return 0;
}
int main(void)
{
    pthread_t t[HARTS];
    for (long n = 1; n < HARTS; n++)
        pthread_create(&t[n], 0, run, (void *)n);
    run(0);
    for (long n = 1; n < HARTS; n++)
        pthread_join(t[n], 0);
    return 0;
}
C
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -g -static -pthread -o eight eight.c
pcemu --no-program --harts 8 --profile sharing,oracle --collect eight.db --format json -o report.json ./eight
jq -r '[.sharing.data[] | select((.data // "") | startswith("own["))] | group_by([.hart, .data])
    | map([([.[].accesses] | add), "\(.[0].hart).\(.[0].data)"]) | sort | reverse | map(.[1])[]' report.json > data
echo "$(wc -l < data) data"
head -n 16 data | LC_ALL=C sort > expected
pcprof list --format json eight.db | jq -r '.events[].event | select(test("own\\[")) | sub("sharing.false.0x[0-9a-f]*."; "")' |
    LC_ALL=C sort | cmp - expected && echo 'the first 16 of the report'
# The harts with most accesses, to the data that the store has.
head -n 16 data > expected
jq -r --rawfile kept expected '($kept | split("\n")) as $kept | [.sharing.data[] | select("\(.hart).\(.data)" as $d | $kept | index($d))]
    | group_by(.hart) | map([([.[].accesses] | add), .[0].hart]) | sort | reverse | .[:4] | map(.[1]) | sort | join(" ")' report.json
pcprof why eight.db | sed -n '/^Harts/,/^    /p' | tr '\n' ' ' | grep -o 'hart [0-9]' | cut -c 6 | xargs
pcprof why eight.db | sed -n '/^Harts/,/^    /p' | tr '\n' ' ' | grep -o 'and other harts'
echo '== two programs with a line at the same address: that of the one with more accesses'
for name in near mine; do
    [ $name = near ] && same=id || same=0
    sed "s/near\[id\]/near[$same]/; s/near/$name/g" shared.c > two.c
    "${RVCC:-riscv64-linux-gnu-gcc}" -O1 -g -static -pthread -DNEAR -o $name two.c
    pcemu --no-program --harts 2 --profile sharing,oracle --collect two.db --format json -o $name.json ./$name
    jq -r --arg name $name '[.sharing.data[] | select((.data // "") | startswith($name))] | "\(.[0].shared_line) \(map(.accesses) | add)"' $name.json > $name.line
done
[ "$(cut -d ' ' -f 1 near.line)" = "$(cut -d ' ' -f 1 mine.line)" ] && echo 'the same address'
cut -d ' ' -f 2 near.line mine.line | sort -n | tail -n 1
pcprof why two.db | sed -n '/^Harts/,/^$/p'
echo '== without debugging information, and one hart'
riscv64-linux-gnu-strip -g shared
pcemu --no-program --harts 2 --profile sharing --format json -o report.json ./shared
jq -c '[.sharing.data[] | select(.accesses > 30) | .data] | unique' report.json
pcemu --no-program --profile sharing -o - ./shared | sed -n '/^Accesses to lines/,$p'

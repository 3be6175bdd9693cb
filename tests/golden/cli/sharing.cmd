# The profiler sharing, and what pcprof why says of it: members in one line, members in lines of their own, and data
# that all harts update.
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
echo '== without debugging information, and one hart'
riscv64-linux-gnu-strip -g shared
pcemu --no-program --harts 2 --profile sharing --format json -o report.json ./shared
jq -c '[.sharing.data[] | select(.accesses > 30) | .data] | unique' report.json
pcemu --no-program --profile sharing -o - ./shared | sed -n '/^Accesses to lines/,$p'

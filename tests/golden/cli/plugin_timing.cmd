# Predictors and prefetchers of plug-ins: mispredictions beside those that a program computes from the trace, misses of
# guests that stream, and runs with and without memoised states.
for name in predictor perceptron prefetcher best-offset; do
    pcemu --plugin-skeleton "$name" > "$name.c"
    cc -O2 -shared -fPIC -I"$build/include" "$name.c" -o "$name.so"
done

echo '== mispredictions, computed from the trace'
# A branch that retires was fetched with the history of the directions of all branches before it: they had been predicted
# rightly, or fetch had begun again behind them. Tables are as those branches have left them that had retired before its
# fetch. So predictions follow from the order of fetches and retirements in the trace, on any core. The computation is
# another one than that of the plug-ins: counters and weights are tables of 2^14 and 1024 entries of this program.
cat > recompute.c << 'C'
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { BITS = 14, LENGTH = 12, PERCEPTRONS = 64 };
struct branch {
    uint64_t number, pc, history;
    int taken, missed, predicted, output;
};
static struct branch *all;
static size_t count, room;
static char line[512];
static unsigned char counters[1 << BITS];
static int weights[PERCEPTRONS][1 + LENGTH];
static int is_perceptron;

static int is_branch(const char *name)
{
    static const char *const names[] = {"beq",  "bne",  "blt",  "bge",  "bltu", "bgeu", "beqz", "bnez",
                                        "bltz", "bgez", "blez", "bgtz", "bgt",  "ble",  "bgtu", "bleu"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return 0;
}
static int by_number(const void *a, const void *b)
{
    const struct branch *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}
static int bit(const struct branch *b, int i) { return b->history >> i & 1 ? 1 : -1; }
static void predict(struct branch *b)
{
    int *w = weights[b->pc / 2 % PERCEPTRONS];
    b->predicted = counters[(b->pc / 2 ^ b->history) % (1 << BITS)] >= 2;
    if (!is_perceptron)
        return;
    b->output = w[0];
    for (int i = 0; i < LENGTH; i++)
        b->output += w[1 + i] * bit(b, i);
    b->predicted = b->output >= 0;
}
static int clamp(int w) { return w > 127 ? 127 : w < -128 ? -128 : w; }
static void train(const struct branch *b)
{
    unsigned char *c = &counters[(b->pc / 2 ^ b->history) % (1 << BITS)];
    int *w = weights[b->pc / 2 % PERCEPTRONS], sign = b->taken ? 1 : -1;
    *c = (unsigned char)(b->taken ? *c + (*c < 3) : *c - (*c > 0));
    if (b->predicted == b->taken && abs(b->output) > 37) /* 1.93 * 12 + 14 = 37.16 */
        return;
    w[0] = clamp(w[0] + sign);
    for (int i = 0; i < LENGTH; i++)
        w[1 + i] = clamp(w[1 + i] + sign * bit(b, i));
}
/* Reads a line; returns the instruction's number, 0 at the end. */
static uint64_t read_line(FILE *in, char stage[16], uint64_t *pc, char name[32])
{
    uint64_t number;
    while (fgets(line, sizeof line, in) != NULL)
        if (sscanf(line, "%*u %15s %" SCNu64 ": %" SCNx64 " %31s", stage, &number, pc, name) == 4)
            return number;
    return 0;
}
int main(int argc, char **argv)
{
    char stage[16], name[32];
    uint64_t number, pc, history = 0, missed = 0, differ = 0;
    FILE *in = fopen(argv[1], "r");
    is_perceptron = argc > 2;
    memset(counters, 1, sizeof counters);
    while ((number = read_line(in, stage, &pc, name)) != 0) {
        if (strcmp(stage, "retire") != 0 || !is_branch(name))
            continue;
        if (count == room)
            all = realloc(all, (room = room * 2 + 1000) * sizeof *all);
        all[count] = (struct branch){.number = number, .pc = pc, .history = history};
        all[count].taken = strstr(line, " taken") != NULL;
        all[count].missed = strstr(line, " mispredicted") != NULL;
        history = history * 2 + (unsigned)all[count++].taken;
    }
    rewind(in);
    while ((number = read_line(in, stage, &pc, name)) != 0) {
        struct branch key = {.number = number}, *b = is_branch(name) ? bsearch(&key, all, count, sizeof key, by_number) : 0;
        if (b == NULL)
            continue;
        if (strcmp(stage, "fetch") == 0)
            predict(b);
        if (strcmp(stage, "retire") == 0)
            train(b);
    }
    for (size_t i = 0; i < count; i++) {
        missed += all[i].predicted != all[i].taken;
        differ += (all[i].predicted != all[i].taken) != all[i].missed;
    }
    printf("%" PRIu64 " %" PRIu64 " %d\n", missed, differ, count > 10000);
    return 0;
}
C
cc -O1 recompute.c -o recompute
for core in ooo inorder; do
    for plugin in predictor.so perceptron.so:12,64; do
        pcemu --no-program --core $core --plugin ./$plugin --max-insts 150000 --trace fetch,retire --trace-file trace \
            --format json --stats stats.json "$workloads/compress" > /dev/null 2>&1
        # shellcheck disable=SC2046 # no word, or one
        ./recompute trace $(expr $plugin : '\(perceptron\)' || true) > computed
        read -r missed differ many < computed
        jq -r --arg plugin $plugin --arg core $core --argjson missed "$missed" --argjson differ "$differ" \
            '"\($plugin) \($core): equal \(.core.mispredicted_direction == $missed and $missed > 500), differ \($differ)"' stats.json
        [ "$many" = 1 ] || echo 'few branches'
    done
done

echo '== misses of guests that stream'
stats() { # NAME PCEMU-ARGUMENT...
    name=$1
    shift
    pcemu --no-program --max-insts 1M --format json --stats "$name.json" "$@" > /dev/null 2>&1
}
for guest in triad stencil; do
    stats none --set l1d_next_line=no "$workloads/$guest"
    for plugin in prefetcher best-offset; do
        stats with --plugin ./$plugin.so "$workloads/$guest"
        stats inorder --core inorder --plugin ./$plugin.so "$workloads/$guest"
        jq -c --slurpfile none none.json --slurpfile inorder inorder.json --arg what "$plugin $guest" '.core as $w | $none[0].core as $n |
            {what: $what, prefetches: ($w.l1d_prefetches > 1000), used: ($w.l1d_prefetches_used > 0.9 * $w.l1d_prefetches),
             misses: ($w.l1d_misses - $w.l1d_merged < 0.6 * ($n.l1d_misses - $n.l1d_merged)),
             cycles: ($w.cycles < 0.9 * $n.cycles), before: $n.l1d_prefetches, inorder: ($inorder[0].core.l1d_prefetches > 400)}' with.json
    done
done

echo '== memoised states, checks and warming'
for plugin in predictor perceptron prefetcher best-offset; do
    for guest in sort stores; do
        stats with --plugin ./$plugin.so "$workloads/$guest"
        stats without --memo 0 --plugin ./$plugin.so "$workloads/$guest"
        cmp with.json without.json
    done
    pcemu --no-program --check --max-insts 20000 --plugin ./$plugin.so "$workloads/sort" 2>&1 > /dev/null
done
# A predictor that is warmed knows the branches: without, those of the part behind are mispredicted more.
for plugin in predictor perceptron; do
    stats cold --plugin ./$plugin.so --skip-insts 1M --max-insts 20000 "$workloads/interp"
    stats warm --plugin ./$plugin.so --skip-insts 1M --warm --max-insts 20000 "$workloads/interp"
    stats slow --plugin ./$plugin.so --skip-insts 1M --warm --translate 0 --max-insts 20000 "$workloads/interp"
    cmp warm.json slow.json
    jq -c --slurpfile warm warm.json --arg what $plugin '{what: $what, warmed: ($warm[0].core.mispredicted_direction < 0.5 * .core.mispredicted_direction)}' cold.json
done

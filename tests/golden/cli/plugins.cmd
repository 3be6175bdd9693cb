# Plug-ins: the skeletons, what they report beside what pcemu counts, the other places that name them, and refusals.
build_plugin() { # NAME [FLAG...]: the shipped source, by the command in its first line
    pcemu --plugin-skeleton "$1" > "$1.c"
    sh -c "$(sed -n '1s|^/\* \(.*\) \*/$|\1|p' "$1.c") -std=c11 -Wextra -Wconversion -Wpedantic -Werror"
}
for name in observer predictor prefetcher perceptron best-offset; do build_plugin "$name"; done
pcemu --plugin-skeleton observer | sed '1s|-I[^ ]*|-IFOLDER|; 1q'
pcemu --plugin-skeleton observers

echo '== an observer'
pcemu --no-program --plugin ./observer.so --profile help | sed -n '/^Observers/,$p'
pcemu --no-program --plugin ./observer.so --max-insts 300000 --trace issue,load,retire --trace-file trace --format json \
    -o report.json "$workloads/interp" > /dev/null
jq -c '.plugins[] | {name, kind, text, sha1: (.sha1 | length), members: (.results | keys)}' report.json
[ "$(jq -r '.plugins[0].sha1' report.json)" = "$(sha1sum < observer.so | cut -d ' ' -f 1)" ] || echo 'another hash'
# The same histogram from the text of the trace.
awk '$2 == "issue" { issued[$3] = $1 }
     $2 == "load" { done[$3] = $1 }
     $2 == "retire" && (/ reads / || $5 ~ /^(sc|amo)/) { latency = done[$3] > issued[$3] ? done[$3] - issued[$3] : 0
         from = 0; if (latency > 1) for (from = 1; from * 2 <= latency && from < 2048; from *= 2) continue
         loads[from]++; sum += latency; n++; missed += /dcache-miss/ }
     END { print n, sum, missed > "all"; for (from in loads) print from, loads[from] }' trace | sort -n > expected
jq -r '.plugins[0].results.latencies[] | "\(.from) \(.loads)"' report.json | sort -n > found
cmp expected found && [ "$(wc -l < found)" -gt 4 ] && echo 'the histogram is that of the trace'
read -r loads cycles missed < all
jq --argjson loads "$loads" --argjson cycles "$cycles" --argjson missed "$missed" '.plugins[0].results |
    .loads == $loads and (.mean_latency * $loads - $cycles | fabs) < 0.5 and
    (.missed * $loads - $missed | fabs) < 0.5' report.json

echo '== all calls of an observer, beside statistics and the exact counts'
cat > calls.c << 'C'
#include <pcemu/plugin.h>
#include <stdlib.h>
struct calls {
    uint64_t retired, squashed, wrong_cause, out_of_order, last, cycles, committing, gaps, next, stores, taken, missed;
    uint64_t entry_pc, at_entry;
};
static void *create(const struct pcemu_setup *s, char *error, size_t bytes)
{
    (void)error, (void)bytes;
    struct calls *c = calloc(1, sizeof *c);
    c->entry_pc = strtoull(s->options, NULL, 16);
    return c;
}
static void retired(void *state, const struct pcemu_insn *in)
{
    struct calls *c = state;
    c->out_of_order += in->number <= c->last || in->cycle[PCEMU_STAGE_RETIRED] < in->cycle[PCEMU_STAGE_FETCHED];
    c->last = in->number;
    c->retired++;
    c->stores += in->writes;
    c->taken += in->opclass == PCEMU_CLASS_BRANCH && in->taken;
    c->missed += in->opclass == PCEMU_CLASS_BRANCH && (in->events & PCEMU_EVENT_MISPREDICTED);
    c->at_entry += in->pc == c->entry_pc;
}
static void squashed(void *state, const struct pcemu_insn *in)
{
    struct calls *c = state;
    c->squashed++;
    c->wrong_cause += in->cause == PCEMU_CAUSE_NONE;
}
static void cycles(void *state, const struct pcemu_cycles *t)
{
    struct calls *c = state;
    c->gaps += c->next != 0 && t->cycle != c->next;
    c->next = t->cycle + t->cycles;
    c->cycles += t->cycles;
    c->committing += t->committing;
}
static void report(void *state, const struct pcemu_host *h, struct pcemu_report *r)
{
    const struct calls *c = state;
    h->count(r, "retired", "retired", c->retired, NULL);
    h->count(r, "squashed", "squashed", c->squashed, NULL);
    h->count(r, "cycles", "cycles", c->cycles, NULL);
    h->count(r, "committing", "committing", c->committing, NULL);
    h->count(r, "taken", "taken", c->taken, NULL);
    h->count(r, "missed", "missed", c->missed, NULL);
    h->count(r, "stores", "stores", c->stores, NULL);
    h->count(r, "at_entry", "at_entry", c->at_entry, NULL);
    h->count(r, "faults", "faults", c->wrong_cause + c->out_of_order + c->gaps, NULL);
    h->text(r, "said", "said", "words");
    h->note(r, "A note.");
    struct pcemu_table *t = h->table(r, "rows", "Rows");
    h->column(t, PCEMU_COLUMN_TEXT, "what", "what");
    h->column(t, PCEMU_COLUMN_ADDRESS, "pc", "address");
    h->column(t, PCEMU_COLUMN_REAL, "ratio", "ratio");
    h->row(t);
    h->cell_text(t, "entry");
    h->cell_count(t, c->entry_pc);
    h->cell_number(t, 1.5);
}
static const struct pcemu_observer calls = {
    PCEMU_VERSION(struct pcemu_observer), 1u << PCEMU_STAGE_FETCHED | 1u << PCEMU_STAGE_RETIRED, 0,
    retired, squashed, cycles, report};
const struct pcemu_plugin pcemu_plugin = {
    PCEMU_VERSION(struct pcemu_plugin), PCEMU_KIND_OBSERVER, 0, "calls", "all calls", create, free, &calls};
C
build_own() { cc -O1 -shared -fPIC -I"$build/include" "$@"; }
build_own calls.c -o calls.so
for core in ooo inorder; do
    main=$(riscv64-linux-gnu-nm "$workloads/sort" | awk '$3 == "main" { print $1 }')
    pcemu --no-program --core $core --plugin "./calls.so:$main" --profile oracle,counts --max-insts 300000 --format json \
        -o report.json --stats stats.json "$workloads/sort" > /dev/null
    jq -c --slurpfile stats stats.json --argjson main "$((0x$main))" '$stats[0].core as $s | .plugins[0].results as $r |
        {retired: ($r.retired == $s.retired), committing: ($r.committing == $s.retired), cycles: ($r.cycles == $s.cycles),
         oracle: ($r.cycles == .time.cycles),
         squashed: ($r.squashed == ([$s | to_entries[] | select(.key | startswith("squashed_")) | .value] | add)),
         missed: ($r.missed == $s.mispredicted_direction), stores: ($r.stores == $s.stores), taken: ($r.taken > 1000),
         main: ($r.at_entry == 1), faults: $r.faults, said: $r.said, row: ($r.rows[0] | {what, function: .pc.function, ratio})}' report.json
done
pcemu --no-program --plugin "./calls.so:$main" --max-insts 1000 -o - "$workloads/sort" 2>&1 |
    sed -n '/^plug-in/,$p' | sed 's/[0-9a-f]\{40\}/HASH/; s/  *[0-9,]*$//'

pcemu --no-program --plugin ./observer.so --sort from --top 2 --max-insts 300000 -o - "$workloads/interp" 2>&1 |
    sed -n '/^Load latencies/,$p' | awk '{ print $1 }'
pcemu --no-program --plugin ./observer.so --sort to --max-insts 1000 -o - "$workloads/interp"

echo '== each hart has a state'
pcemu --no-program --harts 2 --by-hart --plugin ./observer.so --plugin ./prefetcher.so --plugin ./predictor.so \
    --max-insts 100000 --format json -o harts.json "$workloads/sort" > /dev/null
for report in harts.json harts.json.hart0 harts.json.hart1; do
    jq -c '[.plugins[] | {name, hart, loads: ((.results.loads // 0) > 0)}]' $report
done

echo '== predictor and prefetcher are part of the machine'
pcemu --no-program --plugin ./predictor.so:10 --plugin ./prefetcher.so --max-insts 1000 --format json --stats - \
    "$workloads/sort" 2> /dev/null | jq -r .configuration | sed 's/SHA-1 [0-9a-f]*/SHA-1 .../g'
pcemu --no-program --plugin ./predictor.so:10 --profile oracle --collect s.db --max-insts 1000 "$workloads/sort" > /dev/null 2>&1
pcprof show s.db | sed -n '/^configuration/s/SHA-1 [0-9a-f]*/SHA-1 .../p; /^plug-in/,$p' | sed 's/[0-9a-f]\{40\}/HASH/'

echo '== without a core'
pcemu --core functional --plugin ./observer.so "$workloads/sort"
pcemu --no-program --record run.rec --record-values --max-insts 100000 --plugin ./observer.so --format json \
    -o first.json "$workloads/sort" > /dev/null
pcemu --core replay:run.rec --plugin ./observer.so --format json -o again.json "$workloads/sort"
jq -c .plugins first.json > first
jq -c .plugins again.json | cmp - first && echo 'the replay has the same results'
pcemu --core replay:run.rec --plugin ./predictor.so "$workloads/sort"
pcemu --plugin ./prefetcher.so --restore checkpoint "$workloads/sort"
pcemu --core functional --checkpoint-at 1000 --plugin ./predictor.so -o folder "$workloads/sort"
pcemu --confine --plugin ./observer.so "$workloads/sort"
pcemu --set predictor=perfect --plugin ./predictor.so --no-program "$workloads/sort"

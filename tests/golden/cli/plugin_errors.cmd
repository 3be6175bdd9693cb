# Plug-ins that are refused, that do what the interface forbids, and that fault.
build_own() { cc -O1 -shared -fPIC -I"$build/include" "$@"; }
run() { pcemu --no-program --max-insts 20000 -o report "$@" "$workloads/sort" > /dev/null; echo "status $?"; }

echo '== files that are no plug-ins'
run --plugin nothing.so
mkdir folder
run --plugin ./folder:options
: > empty.so
run --plugin empty.so
echo 'a text that is longer than the head of a file of this format, so that its format is looked at' > text.so
run --plugin text.so
cp "$workloads/sort" guest
run --plugin guest 2>&1 | sed "s/found: .*/found: .../"
echo 'int other;' > other.c
build_own other.c -o other.so
run --plugin other.so
echo 'extern void missing(void); void call(void) { missing(); }' > missing.c
build_own missing.c -o missing.so
run --plugin missing.so

echo '== structures'
cat > wrong.c << 'C'
#include <pcemu/plugin.h>
#include <stdio.h>
#ifndef ABI
#define ABI PCEMU_ABI
#endif
#ifndef SIZE
#define SIZE sizeof(struct pcemu_plugin)
#endif
#ifndef FUNCTIONS_ABI
#define FUNCTIONS_ABI PCEMU_ABI
#endif
#ifndef FUNCTIONS_SIZE
#define FUNCTIONS_SIZE sizeof(struct pcemu_predictor)
#endif
#ifndef KIND
#define KIND PCEMU_KIND_PREDICTOR
#endif
#ifndef NAME
#define NAME "wrong"
#endif
#ifndef KEPT
#define KEPT 0
#endif
#ifndef PREDICT
#define PREDICT predict
#endif
#ifndef CREATE
#define CREATE create
#endif
#ifndef FUNCTIONS
#define FUNCTIONS &functions
#endif
static int state;
void *create(const struct pcemu_setup *s, char *error, size_t bytes)
{
    if (*s->options == '\0')
        return &state;
    if (*s->options != '-')
        snprintf(error, bytes, "expected no options, found '%s'", s->options);
    return NULL;
}
int predict(void *s, const struct pcemu_branch *b, void *kept) { return s == 0 && b == 0 && kept == 0; }
static void train(void *s, const struct pcemu_branch *b, const void *kept, int taken)
{
    (void)s, (void)b, (void)kept, (void)taken;
}
struct pcemu_predictor functions = {FUNCTIONS_ABI, FUNCTIONS_SIZE, KEPT, 0, PREDICT, train};
const struct pcemu_plugin pcemu_plugin = {ABI, SIZE, KIND, 0, NAME, "", CREATE, 0, FUNCTIONS};
C
for flag in ABI=2 SIZE=40 KIND=9 'NAME="A"' NAME=0 CREATE=0 FUNCTIONS=0 FUNCTIONS_ABI=0 FUNCTIONS_SIZE=8 KEPT=49 PREDICT=0; do
    build_own "-D$flag" wrong.c -o wrong.so
    run --plugin wrong.so
done
build_own wrong.c -o right.so
build_own -DKEPT=48 -DSIZE=1000 wrong.c -o larger.so
run --plugin right.so
run --plugin larger.so
run --plugin right.so:what
run --plugin right.so:-
run --plugin right.so --plugin larger.so

echo '== what the skeletons say of options'
for plugin in observer:x predictor:25 predictor:4x prefetcher:0 perceptron:1,3 best-offset:x; do
    name=${plugin%%:*}
    pcemu --plugin-skeleton "$name" > "$name.c"
    build_own "$name.c" -o "$name.so"
    run --plugin "$name.so:${plugin#*:}"
done

echo '== too many lines, and what a report does not take'
cat > many.c << 'C'
#include <pcemu/plugin.h>
static int state;
static void *create(const struct pcemu_setup *s, char *e, size_t n) { return s != 0 && e != 0 && n != 0 ? &state : 0; }
static unsigned access(void *s, const struct pcemu_access *a, uint64_t *lines, unsigned most)
{
    return s != 0 && a != 0 && lines != 0 ? most + 1 : 0;
}
static const struct pcemu_prefetcher functions = {PCEMU_VERSION(struct pcemu_prefetcher), access};
const struct pcemu_plugin pcemu_plugin = {PCEMU_VERSION(struct pcemu_plugin), PCEMU_KIND_PREFETCHER, 0, "many", "", create, 0, &functions};
C
build_own many.c -o many.so
run --plugin many.so
cat > says.c << 'C'
#include <pcemu/plugin.h>
#include <stdlib.h>
static int state;
static int kind;
static void *create(const struct pcemu_setup *s, char *e, size_t n)
{
    kind = atoi(s->options);
    return e != 0 && n != 0 ? &state : 0;
}
static void retired(void *s, const struct pcemu_insn *in) { (void)s, (void)in; }
static void report(void *s, const struct pcemu_host *h, struct pcemu_report *r)
{
    (void)s;
    h->count(r, "n", "n", 1, 0);
    if (kind == 1)
        h->count(r, "n", "n", 1, 0);
    if (kind == 2)
        h->text(r, "Big key", "n", "text");
    if (kind == 3)
        h->real(r, "x", "x", 1, 100, 0);
    if (kind == 4)
        h->note(r, "{n}");
    struct pcemu_table *t = h->table(r, "t", "T");
    if (kind == 5)
        h->row(t);
    h->column(t, kind == 6 ? 77 : PCEMU_COLUMN_COUNT, "a", "a");
    h->column(t, PCEMU_COLUMN_TEXT, kind == 7 ? "a" : "b", "b");
    h->row(t);
    h->cell_count(t, 1);
    if (kind == 8)
        h->cell_number(t, 1);
    if (kind != 9)
        h->cell_text(t, "b");
    if (kind == 10)
        h->cell_text(t, "b");
    if (kind == 11)
        h->column(t, PCEMU_COLUMN_TEXT, "c", "c");
    if (kind == 12)
        h->table(r, "u", "{n}");
}
static const struct pcemu_observer functions = {PCEMU_VERSION(struct pcemu_observer), 0, 0, retired, 0, 0, report};
const struct pcemu_plugin pcemu_plugin = {PCEMU_VERSION(struct pcemu_plugin), PCEMU_KIND_OBSERVER, 0, "says", "", create, 0, &functions};
C
build_own says.c -o says.so
for kind in 0 1 2 3 4 5 6 7 8 9 10 11 12; do run --plugin says.so:$kind; done

echo '== faults name the plug-in and its function'
cat > faults.c << 'C'
#include <pcemu/plugin.h>
#include <stdlib.h>
#include <string.h>
static void fault(const char *where, const char *here)
{
    static volatile uintptr_t address = 16; /* of no page */
    if (strcmp(where, here) == 0)
        *(volatile int *)address = 1;
}
static void *create(const struct pcemu_setup *s, char *e, size_t n)
{
    (void)e, (void)n;
    fault(s->options, "create");
    return strdup(s->options);
}
static void destroy(void *s)
{
    fault(s, "destroy");
    free(s);
}
static void retired(void *s, const struct pcemu_insn *in) { (void)in, fault(s, "retired"); }
static void squashed(void *s, const struct pcemu_insn *in) { (void)in, fault(s, "squashed"); }
static void cycles(void *s, const struct pcemu_cycles *c) { (void)c, fault(s, "cycles"); }
static void report(void *s, const struct pcemu_host *h, struct pcemu_report *r) { (void)h, (void)r, fault(s, "report"); }
static int predict(void *s, const struct pcemu_branch *b, void *kept)
{
    (void)b, (void)kept, fault(s, "predict");
    return 0;
}
static void train(void *s, const struct pcemu_branch *b, const void *kept, int taken)
{
    (void)b, (void)kept, (void)taken, fault(s, "train");
}
static unsigned access(void *s, const struct pcemu_access *a, uint64_t *l, unsigned most)
{
    (void)a, (void)l, (void)most, fault(s, "access");
    return 0;
}
static const struct pcemu_observer observer = {PCEMU_VERSION(struct pcemu_observer), 0, 0, retired, squashed, cycles, report};
static const struct pcemu_predictor predictor = {PCEMU_VERSION(struct pcemu_predictor), 0, 0, predict, train};
static const struct pcemu_prefetcher prefetcher = {PCEMU_VERSION(struct pcemu_prefetcher), access};
const struct pcemu_plugin pcemu_plugin = {PCEMU_VERSION(struct pcemu_plugin), KIND, 0, "faults", "", create, destroy, &FUNCTIONS};
#ifdef LOADING
__attribute__((constructor)) static void load(void) { fault("", ""); }
#endif
C
build_own -DKIND=1 -DFUNCTIONS=observer faults.c -o observes.so
build_own -DKIND=2 -DFUNCTIONS=predictor faults.c -o predicts.so
build_own -DKIND=3 -DFUNCTIONS=prefetcher faults.c -o prefetches.so
build_own -DKIND=1 -DFUNCTIONS=observer -DLOADING faults.c -o loads.so
# The status is that of the signal, or of a sanitizer.
faults() { run --plugin "$1" 2>&1 | grep -a '^pcemu: plug-in'; }
for plugin in observes.so:create observes.so:retired observes.so:squashed observes.so:cycles observes.so:report \
    observes.so:destroy predicts.so:predict predicts.so:train prefetches.so:access loads.so; do
    faults ./$plugin
done

echo '== more observers than there is room for'
profilers=$(for n in $(seq 1 25); do printf 'tip:period=%d,' $((n * 10 + 1)); done)
run --plugin observer.so --profile "${profilers%,}"
run --plugin observer.so --profile "$(echo "$profilers" | cut -d , -f 1-24)"
run --plugin observer.so --profile "$(echo "$profilers" | cut -d , -f 1-23)"

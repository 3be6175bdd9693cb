/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows and the event trace: what a window takes, what it is called, and that the trace has a line for each event in
 * it. */
#include "core-model/prof/log/trace.h"
#include "tests/unit/guest_mix.h"
#include "tests/unit/suite.h"

static bool resolve(void *ctx, const char *name, uint64_t *pc)
{
    *pc = *(const uint64_t *)ctx;
    return strcmp(name, "main") == 0;
}

START_TEST(window_syntax)
{
    const struct {
        const char *text;
        bool good;
        enum window_kind kind;
        uint64_t from, to;
    } cases[] = {
        {"cycles:10-20", true, WINDOW_CYCLES, 10, 20}, {"insts:0-5", true, WINDOW_INSTS, 0, 5},
        {"0x1000", true, WINDOW_PC, 0x1000, 1000},     {"0x1000:7", true, WINDOW_PC, 0x1000, 7},
        {"main", true, WINDOW_PC, 42, 1000},           {"main:12", true, WINDOW_PC, 42, 12},
        {"cycles:20-10", false, WINDOW_ALL, 0, 0},     {"cycles:", false, WINDOW_ALL, 0, 0},
        {"insts:1-2x", false, WINDOW_ALL, 0, 0},       {"nobody", false, WINDOW_ALL, 0, 0},
        {"cycles:-1-5", false, WINDOW_ALL, 0, 0},      {"cycles:5", false, WINDOW_ALL, 0, 0},
        {"insts:5-5", false, WINDOW_ALL, 0, 0},        {"insts:0-99999999999999999999", false, WINDOW_ALL, 0, 0},
        {"main:0", false, WINDOW_ALL, 0, 0},           {"main:1x", false, WINDOW_ALL, 0, 0},
    };
    uint64_t address = 42;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct window w;
        struct errmsg err;
        bool good = window_parse(&w, cases[i].text, resolve, &address, &err) == ST_OK;
        ck_assert_msg(good == cases[i].good, "%s", cases[i].text);
        if (good)
            ck_assert(w.kind == cases[i].kind && w.from == cases[i].from && w.to == cases[i].to);
    }
}
END_TEST

/* The lines of a trace, by stage. */
struct counts {
    unsigned stage[PROBE_STAGE_COUNT + 1];
    uint64_t first_cycle, last_cycle;
};

static void count_lines(struct counts *n, FILE *in)
{
    char line[1024], name[16];
    while (fgets(line, sizeof line, in) != NULL) {
        unsigned long cycle;
        int s = 0;
        ck_assert_int_eq(sscanf(line, "%lu %15s", &cycle, name), 2);
        while (s < PROBE_STAGE_COUNT && strcmp(name, probe_stage_names[s]) != 0)
            s++;
        MUST(s < PROBE_STAGE_COUNT || strcmp(name, "commit") == 0);
        n->stage[s]++;
        MUST(cycle >= n->last_cycle || s == PROBE_STAGE_COUNT); /* a token tells of a cycle that is over */
        if (n->first_cycle == 0)
            n->first_cycle = cycle;
        n->last_cycle = cycle;
    }
}

/* A loop that mispredicts, under a trace of everything in the window. */
static struct counts trace_of(int core, struct window *w)
{
    struct core_config cfg = plain_config(core);
    struct bench b;
    char *text;
    size_t size;
    bench_open(&b, busy_loop(100), &cfg);
    FILE *out = open_memstream(&text, &size);
    struct trace_config tc = {.out = out, .kinds = TRACE_ALL, .window = w, .has_llc = true};
    struct observer *t = trace_new(&tc);
    observer_attach(t, b.core);
    bench_finish(&b);
    ck_assert_uint_eq(w->retired, core_retired(b.core));
    observer_release(t);
    fclose(out);
    bench_close(&b);
    struct counts n = {0};
    FILE *in = fmemopen(text, size, "r");
    count_lines(&n, in);
    fclose(in);
    free(text);
    return n;
}

START_TEST(every_event_has_a_line)
{
    struct window all = {.kind = WINDOW_ALL};
    struct counts n = trace_of(_i, &all);
    ck_assert_uint_eq(n.stage[PROBE_FETCHED], all.taken);
    ck_assert_uint_eq(n.stage[PROBE_FETCHED], n.stage[PROBE_RETIRED] + n.stage[PROBE_SQUASHED]);
    ck_assert_uint_eq(n.stage[PROBE_RETIRED], all.retired);
    ck_assert_uint_gt(n.stage[PROBE_SQUASHED], 0);
    ck_assert_uint_ge(n.stage[PROBE_LOAD_COMPLETED], 100);
    ck_assert_uint_ge(n.stage[PROBE_ISSUED], n.stage[PROBE_RETIRED]);
    ck_assert_uint_gt(n.stage[PROBE_STAGE_COUNT], 0);
}
END_TEST

START_TEST(windows_bound_it)
{
    struct window cycles = {.kind = WINDOW_CYCLES, .from = 400, .to = 440},
                  pc = {.kind = WINDOW_PC, .from = CODE_START + BUSY_TOP * 4, .to = 50};
    struct counts n = trace_of(_i, &cycles);
    ck_assert_uint_gt(n.stage[PROBE_FETCHED], 0);
    ck_assert_uint_eq(n.stage[PROBE_FETCHED], n.stage[PROBE_RETIRED] + n.stage[PROBE_SQUASHED]);
    ck_assert_uint_le(n.stage[PROBE_STAGE_COUNT], 40);
    ck_assert_uint_le(n.stage[PROBE_FETCHED], 40 * plain_config(_i).fetch_width);
    n = trace_of(_i, &pc);
    ck_assert_uint_eq(n.stage[PROBE_FETCHED], 50);
    ck_assert_uint_eq(pc.last_seq - pc.first_seq, 49);
    struct window never = {.kind = WINDOW_PC, .from = 4, .to = 50};
    n = trace_of(_i, &never);
    ck_assert_uint_eq(n.last_cycle, 0);
    ck_assert_uint_eq(never.taken, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("trace");
    TCase *t = tcase_create("trace");
    tcase_add_test(t, window_syntax);
    tcase_add_loop_test(t, every_event_has_a_line, 0, 2);
    tcase_add_loop_test(t, windows_bound_it, 0, 2);
    suite_add_tcase(s, t);
    return run_suite(s);
}

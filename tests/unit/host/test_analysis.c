/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The analysis of a procedure: the DCPI paper's copy loop with its culprits, the rules of elimination one by one, the
 * identity of the summary, and a guest whose exact answers are known. */
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "core-model/schedule/schedule.h"
#include "host/analysis/analysis_parts.h"
#include "host/analysis/from_profile.h"
#include "tests/unit/copy_loop.h"
#include "tests/unit/guest_core.h"
#include "tests/unit/guest_mix.h"
#include "tests/unit/suite.h"

/* ---- code, schedule and samples made by hand ---- */

enum { MOST = 64, START = COPY_START - 4 };

struct made {
    struct code_insn insn[MOST];
    uint32_t cycles[MOST], slot[MOST];
    double samples[MOST], misses[MOST];
    bool has_misses;
    uint32_t insns;
};

static uint32_t index_of(const struct made *m, uint64_t pc)
{
    return pc >= START && (pc - START) % 4 == 0 && (pc - START) / 4 < m->insns ? (uint32_t)(pc - START) / 4 : MOST;
}
static bool describe(void *ctx, uint64_t pc, struct code_insn *out)
{
    const struct made *m = ctx;
    uint32_t i = index_of(m, pc);
    if (i < MOST)
        *out = m->insn[i];
    return i < MOST;
}
static bool schedule(void *ctx, const uint64_t *pc, uint32_t count, struct schedule_row *out)
{
    const struct made *m = ctx;
    uint32_t slot = 1;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t i = index_of(m, pc[n]);
        out[n] = (struct schedule_row){.cycles = m->cycles[i], .slot = m->cycles[i] == 0};
        if (m->cycles[i] > 0)
            out[n].lost[STATIC_SLOTTING] = 2 * m->cycles[i] - slot - 1;
        slot = out[n].slot;
    }
    return true;
}
static double samples_at(void *ctx, uint64_t pc)
{
    const struct made *m = ctx;
    return m->samples[index_of(m, pc)];
}
static double misses_at(void *ctx, enum analysis_event event, uint64_t pc)
{
    const struct made *m = ctx;
    return m->has_misses && event == ANALYSIS_DMISS ? m->misses[index_of(m, pc)] : NAN;
}

static struct analysis *analyse(struct made *m)
{
    struct code code = {.ctx = m, .describe = describe};
    struct code_schedule s = {.ctx = m,
                              .machine = {.width = 2,
                                          .line_bytes = 32,
                                          .fetch_bytes = 16,
                                          .fill_cycles = 100,
                                          .tlb_cycles = 50,
                                          .mispredict_cycles = 6,
                                          .bubble_cycles = 2,
                                          .mul_cycles = 8,
                                          .div_cycles = 20,
                                          .fdiv_cycles = 30,
                                          .longest_cycles = 4},
                              .code = schedule};
    struct analysis_samples samples = {.ctx = m, .cycles = samples_at, .period = 1000, .events = misses_at};
    struct code_graph *g = code_graph_new(&code);
    code_graph_add_range(g, START, START + 4 * (uint64_t)m->insns);
    code_graph_add_entry(g, START);
    code_graph_resolve(g);
    code_graph_build(g);
    struct analysis *a = analysis_new(g, 0, &s, &samples);
    code_graph_free(g);
    return a;
}

static void put(struct made *m, struct code_insn in, uint32_t cycles, double samples)
{
    in.length_bytes = 4;
    m->insn[m->insns] = in;
    m->cycles[m->insns] = cycles;
    m->samples[m->insns++] = samples;
}

static void add_copy(struct made *m, int i, struct code_insn in)
{
    put(m, in, copy_loop[i].cycles, copy_loop[i].samples);
}

enum { V0 = 1, TT0 = 2, TT1, TT2, TT4 = 6, TT5, TT6, AA0 };
#define LOAD(rd, base) \
    ((struct code_insn){.op = CODE_OP_LOAD, .flags = CODE_LOADS, .dst = rd, .src = {base}, .bytes = 8})
#define STORE(rs, base) ((struct code_insn){.flags = CODE_STORES, .src = {base, rs}, .bytes = 8})
#define ALU(rd, a, b) ((struct code_insn){.dst = rd, .src = {a, b}})

static void make_copy_loop(struct made *m)
{
    put(m, ALU(V0, 0, 0), 1, 0);
    add_copy(m, 0, LOAD(TT4, TT1));
    add_copy(m, 1, ALU(TT0, TT0, 0));
    add_copy(m, 2, LOAD(TT5, TT1));
    add_copy(m, 3, LOAD(TT6, TT1));
    add_copy(m, 4, LOAD(AA0, TT1));
    add_copy(m, 5, ALU(TT1, TT1, 0));
    add_copy(m, 6, STORE(TT4, TT2));
    add_copy(m, 7, ALU(TT4, TT0, V0));
    add_copy(m, 8, STORE(TT5, TT2));
    add_copy(m, 9, STORE(TT6, TT2));
    add_copy(m, 10, STORE(AA0, TT2));
    add_copy(m, 11, ALU(TT2, TT2, 0));
    struct code_insn branch = {.kind = CODE_BRANCH, .target = COPY_START, .src = {TT4}};
    add_copy(m, 12, branch);
    put(m, (struct code_insn){.kind = CODE_RETURN}, 1, 0);
}

/* The causes that an instruction may have, as letters of stall.def. */
static void letters_of(const struct analysis_insn *in, char text[DYNAMIC_STALLS + 1])
{
    static const char letter[] = {
#define DYNAMIC_STALL(sym, key, label, mark, ...) mark,
#include "contract/stall.def"
    };
    unsigned n = 0;
    for (int c = 0; c < DYNAMIC_STALLS; c++)
        if (in->cause[c].possible)
            text[n++] = letter[c];
    text[n] = '\0';
}

START_TEST(copy_loop_as_in_the_paper)
{
    struct made m = {.insns = 0};
    make_copy_loop(&m);
    struct analysis *a = analyse(&m);
    const struct analysis_insn *in = a->insn + 1;
    double best = 0, actual = 0;
    char text[DYNAMIC_STALLS + 1];
    ck_assert_double_eq_tol(a->block[in->block].frequency.value, copy_frequency, 1e-9);
    for (int i = 0; i < COPY_INSNS; i++) {
        ck_assert_double_eq(round(2 * in[i].cpi) / 2, copy_loop[i].cpi);
        ck_assert_int_eq(in[i].chosen, copy_loop[i].chosen);
        best += in[i].minimum;
        actual += in[i].cpi;
    }
    ck_assert_double_eq(best, 8);
    ck_assert_double_eq(round(actual), 140);
    /* The stores at 009828 and 009834: dwD, for the loads at 009810 and 00981c. */
    static const struct {
        int store, load;
    } stall[] = {{6, 0}, {9, 3}};
    for (int n = 0; n < 2; n++) {
        const struct analysis_insn *store = &in[stall[n].store];
        letters_of(store, text);
        ck_assert_str_eq(text, "dDw");
        ck_assert_uint_eq(store->cause[DYNAMIC_DCACHE].culprit, in[stall[n].load].pc);
        ck_assert_uint_eq(store->cause[DYNAMIC_DTLB].culprit, in[stall[n].load].pc);
    }
    letters_of(&in[0], text); /* at the head of the loop: its branch, and fetch */
    ck_assert_str_eq(text, "ipo");
    ck_assert(in[0].cause[DYNAMIC_MISPREDICT].possible && in[0].cause[DYNAMIC_MISPREDICT].culprit == in[12].pc);
    ck_assert(!in[1].is_stall && !in[4].is_stall && !in[10].is_stall);
    analysis_free(a);
}
END_TEST

/* A load, an instruction, and a use that stalls, in one block. */
static struct analysis_insn use_after(struct made *m, struct code_insn first, struct code_insn between,
                                      struct code_insn use)
{
    m->insns = 0;
    put(m, first, 1, 1000);
    put(m, between, 1, 1010);
    put(m, ALU(20, 0, 0), 1, 990);
    put(m, use, 1, 31000);
    put(m, (struct code_insn){.kind = CODE_RETURN}, 1, 1000);
    struct analysis *a = analyse(m);
    struct analysis_insn in = a->insn[3];
    analysis_free(a);
    return in;
}

START_TEST(elimination)
{
    struct made m = {.insns = 0};
    char text[DYNAMIC_STALLS + 1];
    struct analysis_insn in = use_after(&m, LOAD(5, 21), ALU(6, 0, 0), ALU(7, 5, 0));
    letters_of(&in, text);
    ck_assert_str_eq(text, "dD");
    ck_assert_uint_eq(in.cause[DYNAMIC_DCACHE].culprit, START);
    in = use_after(&m, LOAD(5, 21), ALU(6, 5, 0), ALU(7, 5, 0)); /* another one waited for it */
    letters_of(&in, text);
    ck_assert_str_eq(text, "");
    in = use_after(&m, LOAD(5, 21), ALU(5, 0, 0), ALU(7, 5, 0)); /* its result is overwritten */
    letters_of(&in, text);
    ck_assert_str_eq(text, "");
    in = use_after(&m, LOAD(5, 21), ALU(6, 0, 0), ALU(5, 0, 0)); /* results are written in order */
    letters_of(&in, text);
    ck_assert_str_eq(text, "dD");
    in = use_after(&m, ALU(6, 0, 0), ALU(6, 0, 0), STORE(22, 21));
    letters_of(&in, text);
    ck_assert_str_eq(text, "w");
    in = use_after(&m, ALU(6, 0, 0), ALU(6, 0, 0), ALU(7, 10, 0)); /* an argument */
    letters_of(&in, text);
    ck_assert_str_eq(text, "dD");
    in = use_after(&m, ALU(6, 0, 0), ALU(6, 0, 0), (struct code_insn){.flags = CODE_SERIAL});
    letters_of(&in, text);
    ck_assert_str_eq(text, "y");
}
END_TEST

/* Ten misses of 100 cycles at a period of 1000 cycles are one sample of time. */
START_TEST(events_are_bounds)
{
    struct made m = {.has_misses = true};
    m.misses[0] = 10;
    struct analysis_insn in = use_after(&m, LOAD(5, 21), ALU(6, 0, 0), ALU(7, 5, 0));
    ck_assert_double_eq(in.cause[DYNAMIC_DCACHE].most, 1);
    ck_assert_double_eq(in.cause[DYNAMIC_DTLB].most, in.dynamic);
    ck_assert_double_eq_tol(in.dynamic, 30000, 100);
}
END_TEST

/* The first instruction of a cache line, and the one before. */
START_TEST(lines)
{
    struct made m = {.insns = 0};
    for (int i = 0; i < 12; i++)
        put(&m, ALU(5, 0, 0), 1, i == 4 || i == 5 ? 30000 : 1000); /* at 0x981c and 0x9820 */
    put(&m, (struct code_insn){.kind = CODE_RETURN}, 1, 1000);
    struct analysis *a = analyse(&m);
    ck_assert(a->insn[4].is_stall && a->insn[5].is_stall);
    ck_assert(!a->insn[4].cause[DYNAMIC_ICACHE].possible && a->insn[5].cause[DYNAMIC_ICACHE].possible);
    ck_assert(!a->insn[5].cause[DYNAMIC_ITLB].possible);
    ck_assert_double_eq_tol(a->summary.unexplained_stall, 29000, 200);
    analysis_free(a);
}
END_TEST

/* ---- the summary ---- */

/* Golden: Figure 4. */
START_TEST(figure_4)
{
    struct analysis_summary s = {.samples = 37778, .tallied = 35171, .instructions = 36016, .execution = 36016 * 0.5};
    s.by_static[STATIC_SLOTTING] = 0.018 * s.tallied;
    s.by_static[STATIC_OPERAND_A] = 0.020 * s.tallied;
    s.by_static[STATIC_OPERAND_B] = 0.010 * s.tallied;
    s.dynamic = 0.441 * s.tallied;
    s.error = s.tallied - s.execution - s.dynamic - 0.048 * s.tallied;
    struct analysis_shares a = analysis_shares(&s);
    ck_assert_int_eq(a.dynamic, 441);
    ck_assert_int_eq(a.all_static, 48);
    ck_assert_int_eq(a.stall, 489);
    ck_assert_int_eq(a.execution, 512);
    ck_assert_int_eq(a.error, -1);
}
END_TEST

START_TEST(shares_add_up)
{
    struct random r = {(uint64_t)_i};
    struct analysis_summary s = {0};
    double *part[] = {&s.dynamic, &s.execution, &s.error, &s.by_static[0], &s.by_static[1], &s.by_static[4]};
    for (unsigned n = 0; n < sizeof part / sizeof part[0]; n++) {
        *part[n] = (double)random_below(&r, 100000) - (part[n] == &s.error ? 50000 : 0);
        s.tallied += *part[n];
    }
    if (s.tallied <= 0)
        return;
    struct analysis_shares a = analysis_shares(&s);
    ck_assert_int_eq(a.dynamic + a.all_static, a.stall);
    ck_assert_int_eq(a.stall + a.execution + a.error, 1000);
    ck_assert_double_eq_tol(a.error, 1000 * s.error / s.tallied, 1);
    ck_assert_double_eq_tol(a.dynamic, 1000 * s.dynamic / s.tallied, 1);
}
END_TEST

/* ---- a guest ---- */

/* A procedure whose instruction always issues with the call: it takes no cycle of its own. */
START_TEST(best_case_of_shared_cycles)
{
    struct analysis_insn insn = {.samples = 0, .schedule = {.slot = 1}, .dynamic = 0};
    struct analysis_block block = {.insns = 1, .frequency = {1000, CONFIDENCE_HIGH}};
    struct analysis a = {.insn = &insn, .insns = 1, .block = &block, .blocks = 1};
    analysis_summarise(&a, &(struct schedule_machine){.width = 2});
    analysis_summary_bound(&a.summary);
    ck_assert_double_eq(a.summary.instructions, 1000);
    ck_assert_double_eq(a.summary.best, 500);
    ck_assert_double_eq(a.summary.execution, 500);
    for (int c = 0; c < STATIC_STALLS; c++)
        ck_assert_double_eq(a.summary.by_static[c], 0);
    ck_assert_double_eq(a.summary.unexplained_gain, -500);
    ck_assert_double_eq(a.summary.dynamic, -500);
}
END_TEST

struct watched {
    struct core *core;
    double cycles[PROGRAM_MAX], count[PROGRAM_MAX];
};

static uint32_t word_of(uint64_t pc)
{
    return pc >= CODE_START && (pc - CODE_START) / 4 < PROGRAM_MAX ? (uint32_t)(pc - CODE_START) / 4 : PROGRAM_MAX - 1;
}
static void watch_token(void *ctx, const struct probe_token *t)
{
    struct watched *w = ctx;
    if (t->interrupt_pc != 0)
        w->cycles[word_of(t->interrupt_pc)] += (double)t->repeat;
}
static void watch_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct watched *w = ctx;
    (void)cycle;
    w->count[word_of(in->pc)]++;
}
static double cycles_of(void *ctx, uint64_t pc) { return ((struct watched *)ctx)->cycles[word_of(pc)]; }
static double count_of(void *ctx, uint64_t pc) { return ((struct watched *)ctx)->count[word_of(pc)]; }

/* Runs a program on the in-order core, and analyses it with the head of the issue stage of every cycle as samples. */
static struct analysis *of_guest(const struct program *p, struct watched *w, bool counted)
{
    struct core_config cfg = plain_config(INORDER);
    struct bench b;
    cfg.commit_width = 2;
    *w = (struct watched){.core = NULL};
    bench_open(&b, p, &cfg);
    struct probe_listener o = {.ctx = w, .token = watch_token};
    o.stage[PROBE_RETIRED] = watch_retired;
    core_subscribe(b.core, &o);
    bench_finish(&b);
    struct code code = rv_code(&b.guest.hart);
    struct code_graph *g = code_graph_new(&code);
    code_graph_add_range(g, CODE_START, CODE_START + p->count * 4);
    code_graph_add_entry(g, CODE_START);
    code_graph_resolve(g);
    code_graph_build(g);
    struct core_schedule *s = core_schedule_new(&cfg, rv_decode_in_hart, &b.guest.hart);
    struct code_schedule schedules = core_schedule_interface(s);
    struct analysis_samples samples = {.ctx = w, .cycles = cycles_of, .period = 1};
    samples.executions = counted ? count_of : NULL;
    samples.exact = counted;
    struct analysis *a = analysis_new(g, 0, &schedules, &samples);
    core_schedule_free(s);
    code_graph_free(g);
    bench_close(&b);
    return a;
}

START_TEST(identity_of_a_guest)
{
    static struct watched w;
    struct analysis *a = of_guest(loop_of_everything(300), &w, _i != 0);
    const struct analysis_summary *s = &a->summary;
    double sum = s->dynamic + s->execution + s->error;
    for (int c = 0; c < STATIC_STALLS; c++)
        sum += s->by_static[c];
    ck_assert_double_gt(s->tallied, 1000);
    ck_assert_double_eq_tol(sum, s->tallied, 1e-6 * s->tallied);
    double most = 0;
    for (int c = 0; c < DYNAMIC_STALLS; c++) {
        ck_assert_double_le(s->least[c], s->most[c] + 1e-9);
        most += s->most[c];
    }
    ck_assert_double_ge(most + s->unexplained_stall + s->unexplained_gain + 1e-6, s->dynamic);
    if (_i != 0) {
        double instructions = 0;
        for (uint32_t i = 0; i < PROGRAM_MAX; i++)
            instructions += w.count[i];
        ck_assert_double_eq_tol(s->instructions, instructions, 1e-6 * instructions);
    }
    analysis_free(a);
}
END_TEST

/* Without stalls each estimate is exact. */
START_TEST(frequency_of_a_guest)
{
    static struct watched w;
    struct program *p = program_begin();
    addi(p, T0, ZERO, 500);
    uint32_t top = p->count;
    for (int i = 0; i < 12; i++)
        addi(p, T1 + i % 2, ZERO, i);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, ZERO);
    struct analysis *a = of_guest(p, &w, false);
    bool found = false;
    for (uint32_t b = 0; b < a->blocks; b++) {
        if (a->block[b].start != CODE_START + top * 4)
            continue;
        found = true;
        ck_assert_double_eq_tol(a->block[b].frequency.value, 500, 5);
        ck_assert_int_eq(a->block[b].frequency.confidence, CONFIDENCE_HIGH);
    }
    ck_assert(found);
    analysis_free(a);
}
END_TEST

/* ---- from a profile ---- */

START_TEST(events_of_a_profile)
{
    struct profile *p = profile_new();
    struct profile_image image = {.build_id = "1", .path = "a", .name = "a"};
    struct profile_event cycles = {
        .name = "cycles", .by = "counter", .unit = "cycles", .source = PROFILE_COUNTER, .scale = 2, .period = 2};
    struct profile_event retired = {
        .name = "retired", .by = "counts", .unit = "instructions", .source = PROFILE_EXACT, .scale = 1};
    struct profile_event misses = {
        .name = "dcache-miss", .by = "counter", .unit = "misses", .source = PROFILE_COUNTER, .scale = 3, .period = 3};
    uint32_t n = profile_add_image(p, &image);
    struct from_profile from;
    struct analysis_samples s;
    const uint32_t time = profile_add_event(p, &cycles), executions = profile_add_event(p, &retired);
    profile_add_sample(p, time, (struct profile_sample){n, 0x100, 7});
    profile_add_sample(p, executions, (struct profile_sample){n, 0x100, 50});
    profile_add_sample(p, profile_add_event(p, &misses), (struct profile_sample){n, 0x100, 5});
    from_profile_use(&from, p, n, time, PROFILE_NO_EVENT, &s);
    ck_assert_double_eq(s.cycles(s.ctx, 0x100), 7);
    ck_assert_double_eq(s.period, 2);
    ck_assert(s.executions == NULL);
    from_profile_use(&from, p, n, time, executions, &s);
    ck_assert(s.exact);
    ck_assert_double_eq(s.executions(s.ctx, 0x100), 50);
    ck_assert(isnan(s.events(s.ctx, ANALYSIS_DMISS, 0x100))); /* a counter's are late */
    profile_free(p);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("analysis");
    TCase *t = tcase_create("analysis");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, copy_loop_as_in_the_paper);
    tcase_add_test(t, elimination);
    tcase_add_test(t, best_case_of_shared_cycles);
    tcase_add_test(t, events_are_bounds);
    tcase_add_test(t, lines);
    tcase_add_test(t, figure_4);
    tcase_add_loop_test(t, shares_add_up, 0, 100);
    tcase_add_loop_test(t, identity_of_a_guest, 0, 2);
    tcase_add_test(t, frequency_of_a_guest);
    tcase_add_test(t, events_of_a_profile);
    suite_add_tcase(s, t);
    return run_suite(s);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Top-down analysis: the observer on hand-written streams of slots; on both cores the sum over all slots, the core's
 * statistics beside the categories, and loops whose cause of lost slots is planted; at issue and commit the slots that
 * a longer latency costs, known by hand. */
#include "contract/topdown.h"
#include "core-model/stats.h"
#include "tests/unit/guest_mix.h"

#include "tests/unit/token_stream.h"

enum { CORES = 2 };

static const struct topdown_profile *profile_of(const struct observers *set) { return observers_topdown(set)->profile; }

static uint64_t slots_of(const struct topdown_profile *p, uint64_t pc, enum topdown_leaf leaf)
{
    for (size_t r = 0; r < p->rows; r++)
        if (p->row[r].pc == pc)
            return p->row[r].slots[leaf];
    return 0;
}

static void sum_leaves(const struct topdown_profile *p, uint64_t slots[TOPDOWN_LEAVES])
{
    memset(slots, 0, TOPDOWN_LEAVES * sizeof *slots);
    for (size_t r = 0; r < p->rows; r++)
        for (int l = 0; l < TOPDOWN_LEAVES; l++)
            slots[l] += p->row[r].slots[l];
}

/* ---- hand-written streams ---- */

enum { WIDTH = 4 };

/* In each of `cycles` cycles `entered` instructions enter; the other slots are of this category and address. */
static void spend(struct stream *s, uint64_t cycles, unsigned entered, enum topdown_leaf leaf, uint64_t pc)
{
    probe_port_notify_slots(s->port, TOPDOWN_AT_ENTRY,
                            &(struct probe_slots){.cycle = s->cycle,
                                                  .repeat = cycles,
                                                  .width = WIDTH,
                                                  .entered = (uint8_t)entered,
                                                  .leaf = (uint8_t)leaf,
                                                  .pc = pc});
    s->cycle += cycles;
}

static void squash(struct stream *s, uint32_t slots, enum topdown_leaf leaf, uint64_t pc)
{
    probe_port_notify_squashed(
        s->port, TOPDOWN_AT_ENTRY,
        &(struct probe_slots_squashed){.cycle = s->cycle, .pc = pc, .slots = slots, .leaf = (uint8_t)leaf});
}

static void retire(struct stream *s, uint64_t pc)
{
    struct rv_insn in = {.opclass = OPCLASS_BRANCH};
    struct rv_outcome outcome = {.value = 0};
    probe_port_result(s->port, &in, pc, &outcome);
}

/* Two loads that miss, a branch that is mispredicted with five instructions behind it, and an interrupt. */
START_TEST(each_slot_has_its_row)
{
    struct stream s = watch("topdown", 4);
    spend(&s, 1, 4, TOPDOWN_RETIRING, 0);         /* I1 I2 I3 and one of the wrong path */
    spend(&s, 1, 1, TOPDOWN_FETCH_BANDWIDTH, I4); /* another one */
    spend(&s, 1, 3, TOPDOWN_ISSUE_QUEUE, I1);     /* three others */
    spend(&s, 50, 0, TOPDOWN_DATA_EXTERNAL, I1);
    spend(&s, 1, 0, TOPDOWN_FETCH_DATA, I5);
    retire(&s, I1);
    retire(&s, I2);
    squash(&s, 5, TOPDOWN_MISPREDICT, I3);
    spend(&s, 7, 0, TOPDOWN_MISPREDICT_RECOVERY, I3);
    retire(&s, I3);
    spend(&s, 1, 2, TOPDOWN_FETCH_BANDWIDTH, I5); /* I1 again, and one that is in flight at the end */
    retire(&s, I1);
    spend(&s, 9, 0, TOPDOWN_HANDLER, 0);
    observers_finish(s.set, s.cycle, NULL);
    const struct topdown_profile *p = profile_of(s.set);
    ck_assert_uint_eq(p->width, WIDTH);
    ck_assert_uint_eq(p->slots, WIDTH * s.cycle);
    ck_assert_uint_eq(slots_of(p, I1, TOPDOWN_RETIRING), 2);
    ck_assert_uint_eq(slots_of(p, I1, TOPDOWN_DATA_EXTERNAL), 200);
    ck_assert_uint_eq(slots_of(p, I1, TOPDOWN_ISSUE_QUEUE), 1);
    ck_assert_uint_eq(slots_of(p, I2, TOPDOWN_RETIRING), 1);
    ck_assert_uint_eq(slots_of(p, I3, TOPDOWN_RETIRING), 1);
    ck_assert_uint_eq(slots_of(p, I3, TOPDOWN_MISPREDICT), 5);
    ck_assert_uint_eq(slots_of(p, I3, TOPDOWN_MISPREDICT_RECOVERY), 28);
    ck_assert_uint_eq(slots_of(p, I4, TOPDOWN_FETCH_BANDWIDTH), 3);
    ck_assert_uint_eq(slots_of(p, I5, TOPDOWN_FETCH_BANDWIDTH), 2);
    ck_assert_uint_eq(slots_of(p, I5, TOPDOWN_FETCH_DATA), 4);
    ck_assert_uint_eq(slots_of(p, 0, TOPDOWN_HANDLER), 36);
    ck_assert_uint_eq(slots_of(p, 0, TOPDOWN_IN_FLIGHT), 1);
    ck_assert_uint_eq(p->rows, 6); /* with address 0 */
    observers_free(s.set);
    free(s.port);
}
END_TEST

START_TEST(nodes_are_sums_of_their_leaves)
{
    uint64_t slots[TOPDOWN_LEAVES], first = 0, whole = 0;
    for (int l = 0; l < TOPDOWN_LEAVES; l++)
        whole += slots[l] = UINT64_C(1) << l;
    for (unsigned n = 0; n < TOPDOWN_NODES; n++) {
        const struct topdown_node *node = topdown_node(n);
        if (topdown_level(node) == 1)
            first += topdown_node_slots(node, slots);
        if (strcmp(node->path, "backend_bound.memory.addr") == 0)
            ck_assert_uint_eq(topdown_node_slots(node, slots),
                              slots[TOPDOWN_ADDR_GENERATION] | slots[TOPDOWN_ADDR_TLB] | slots[TOPDOWN_ADDR_WALK]);
        if (strcmp(node->path, "bad_speculation.machine_clears.exception") == 0)
            ck_assert_uint_eq(topdown_node_slots(node, slots), slots[TOPDOWN_EXCEPTION]);
    }
    ck_assert_uint_eq(first, whole);
}
END_TEST

/* ---- runs of a core ---- */

struct analysed {
    struct bench bench;
    struct observers *set;
    uint64_t slots[TOPDOWN_LEAVES];
};

/* The sum of the leaves that the statistic counts. */
#define STATISTIC_IS(a, s, name) ck_assert_uint_eq(leaves_of(a, #name), (s)->name)
static uint64_t leaves_of(const struct analysed *a, const char *statistic)
{
    static const char *const of[] = {
#define TOPDOWN_LEAF(sym, path, event, statistic, meaning) #statistic,
#include "contract/topdown.def"
    };
    uint64_t sum = 0;
    for (int l = 0; l < TOPDOWN_LEAVES; l++)
        sum += strcmp(of[l], statistic) == 0 ? a->slots[l] : 0;
    return sum;
}

static void must_add_up(const struct analysed *a, const struct core_config *cfg)
{
    const struct core_stats s = core_statistics(a->bench.core);
    const struct topdown_profile *p = profile_of(a->set);
    const uint64_t width = cfg->core == OOO ? cfg->decode_width : cfg->commit_width;
    ck_assert_uint_eq(p->width, width);
    ck_assert_uint_eq(p->slots, width * core_cycle(a->bench.core));
    ck_assert_uint_eq(topdown_total(a->slots), p->slots);
    STATISTIC_IS(a, &s, retired);
    STATISTIC_IS(a, &s, slots_squashed);
    STATISTIC_IS(a, &s, slots_recovery);
    STATISTIC_IS(a, &s, slots_frontend);
    STATISTIC_IS(a, &s, slots_memory);
    STATISTIC_IS(a, &s, slots_core);
    STATISTIC_IS(a, &s, slots_handler);
}

static void analyse_by(struct analysed *a, const char *profiler, const struct program *p, const struct core_config *cfg,
                       uint64_t max_insts)
{
    struct errmsg err;
    bench_open(&a->bench, p, cfg);
    core_memoise(a->bench.core, 1 << 22, false);
    a->set = observers_new();
    ck_assert_int_eq(observers_create(a->set, profiler, 1, &err), ST_OK);
    observers_attach(a->set, a->bench.core);
    core_run(a->bench.core, max_insts);
    observers_finish(a->set, core_cycle(a->bench.core), &a->bench.guest.hart);
    sum_leaves(profile_of(a->set), a->slots);
}

static void analyse(struct analysed *a, const struct program *p, const struct core_config *cfg, uint64_t max_insts)
{
    analyse_by(a, "topdown", p, cfg, max_insts);
    must_add_up(a, cfg);
}

static void analysed_fini(struct analysed *a)
{
    observers_free(a->set);
    bench_close(&a->bench);
}

static uint64_t handle(void *ctx, uint64_t cycle, uint64_t pc)
{
    (void)ctx, (void)cycle, (void)pc;
    return 100;
}

/* Misses, exceptions, ordering violations, system calls, flushes: attached or not, the cycles are the same. */
START_TEST(events_of_all_kinds_add_up)
{
    struct core_config cfg = faulting(_i);
    struct analysed a;
    struct bench alone;
    analyse(&a, eventful_loop(200), &cfg, UINT64_MAX);
    ck_assert_uint_eq(a.slots[TOPDOWN_IN_FLIGHT], 0);
    ck_assert_uint_gt(a.slots[TOPDOWN_EXCEPTION_RECOVERY], 0);
    for (enum topdown_leaf l = 0; l < TOPDOWN_HANDLER; l++) /* has an instruction */
        ck_assert_uint_eq(slots_of(profile_of(a.set), 0, l), 0);
    ck_assert_uint_gt(a.slots[TOPDOWN_FETCH_FLUSH], 0);
    ck_assert_uint_gt(a.slots[TOPDOWN_HANDLER], 0);
    ck_assert_int_eq(a.slots[TOPDOWN_ORDERING] > 0, _i == OOO);
    bench_open(&alone, eventful_loop(200), &cfg);
    bench_finish(&alone);
    ck_assert_uint_eq(core_cycle(alone.core), core_cycle(a.bench.core));
    bench_close(&alone);
    analysed_fini(&a);
}
END_TEST

/* The run ends with instructions in flight, which have slots of their own; in order, those are issued ones. */
START_TEST(a_cut_run_adds_up)
{
    struct core_config cfg = faulting(_i % CORES);
    struct analysed a;
    analyse(&a, busy_loop(1000), &cfg, 500 + (uint64_t)_i);
    ck_assert_uint_le(a.slots[TOPDOWN_IN_FLIGHT], cfg.rob_entries);
    analysed_fini(&a);
}
END_TEST

START_TEST(interrupts_add_up)
{
    struct core_config cfg = faulting(_i);
    struct analysed a = {.set = observers_new()};
    struct errmsg err;
    bench_open(&a.bench, guess_loop(1000), &cfg);
    const unsigned line = core_connect_interrupt(a.bench.core, handle, NULL);
    ck_assert_int_eq(observers_create(a.set, "topdown", 1, &err), ST_OK);
    observers_attach(a.set, a.bench.core);
    for (uint64_t n = 1; n <= 5; n++) {
        core_raise_interrupt(a.bench.core, line, 500 * n);
        core_run(a.bench.core, 300);
    }
    bench_finish(&a.bench);
    observers_finish(a.set, core_cycle(a.bench.core), &a.bench.guest.hart);
    sum_leaves(profile_of(a.set), a.slots);
    must_add_up(&a, &cfg);
    ck_assert_uint_ge(a.slots[TOPDOWN_HANDLER], 5 * 100);
    ck_assert_uint_eq(slots_of(profile_of(a.set), 0, TOPDOWN_HANDLER), a.slots[TOPDOWN_HANDLER]);
    analysed_fini(&a);
}
END_TEST

/* ---- planted causes ---- */

enum { ROUNDS = 500, LINE = 64, LINES = 1024, LINES_STRIDE = 320 };

static void loop_begin(struct program *p, int rounds, uint32_t *top)
{
    addi(p, T0, ZERO, rounds);
    *top = p->count;
}
static void loop_end(struct program *p, uint32_t top)
{
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
}

static void plant_divisions(struct program *p)
{
    uint32_t top;
    addi(p, T1, ZERO, 2047);
    addi(p, T2, ZERO, 3);
    loop_begin(p, ROUNDS, &top);
    for (int i = 0; i < 4; i++)
        div_(p, T1, T1, T2);
    loop_end(p, top);
}

static void plant_multiplications(struct program *p)
{
    uint32_t top;
    loop_begin(p, ROUNDS, &top);
    for (int i = 0; i < 8; i++)
        mul(p, T1, T1, T2);
    loop_end(p, top);
}

static void plant_chain(struct program *p)
{
    uint32_t top;
    loop_begin(p, ROUNDS, &top);
    for (int i = 0; i < 32; i++)
        add(p, T1, T1, T2);
    loop_end(p, top);
}

/* A list of lines, each of which points to the next one; then ROUNDS steps along it. */
static void plant_list(struct program *p)
{
    uint32_t top;
    lui(p, S2, DATA_START);
    addi(p, S3, S2, 0);
    loop_begin(p, LINES, &top);
    addi(p, S4, S3, LINES_STRIDE);
    sd(p, S4, S3, 0);
    addi(p, S3, S4, 0);
    loop_end(p, top);
    sd(p, S2, S3, 0);
    loop_begin(p, ROUNDS, &top);
    for (int i = 0; i < 16; i++)
        ld(p, S2, S2, 0);
    loop_end(p, top);
}

/* One step in each round: the rounds in flight fill the fetch target queue. */
static void plant_short_rounds(struct program *p)
{
    uint32_t top;
    lui(p, S2, DATA_START);
    sd(p, S2, S2, 0);
    loop_begin(p, 2000, &top);
    ld(p, S2, S2, 0);
    loop_end(p, top);
}

static void plant_short_divisions(struct program *p)
{
    uint32_t top;
    loop_begin(p, 2000, &top);
    div_(p, T1, T1, T2);
    loop_end(p, top);
}

/* The first of these lines alone. */
static void plant_cycle_of_one(struct program *p)
{
    uint32_t top;
    lui(p, S2, DATA_START);
    sd(p, S2, S2, 0);
    loop_begin(p, 1500, &top);
    for (int i = 0; i < 8; i++)
        ld(p, S2, S2, 0);
    loop_end(p, top);
}

static void plant_guesses(struct program *p)
{
    uint32_t top;
    guess_begin(p);
    loop_begin(p, 2000, &top);
    guess_step(p);
    for (int bit = 40; bit < 48; bit++) {
        srli(p, T3, T4, bit);
        andi(p, T3, T3, 1);
        branch(p, 1, T3, ZERO, p->count + 2);
        addi(p, T2, T2, 1);
    }
    loop_end(p, top);
}

static void plant_code(struct program *p)
{
    enum { WORDS = 7000 };
    addi(p, T0, ZERO, 3);
    const uint32_t top = p->count;
    for (int i = 0; i < WORDS; i++)
        addi(p, T1 + i % 2, ZERO, 1);
    addi(p, T0, T0, -1);
    branch(p, 0, T0, ZERO, p->count + 2);
    jal(p, ZERO, top);
}

static void plant_stores(struct program *p)
{
    uint32_t top;
    lui(p, S2, DATA_START);
    loop_begin(p, 2000, &top);
    sd(p, T1, S2, 0);
    addi(p, S2, S2, LINES_STRIDE);
    loop_end(p, top);
}

static void plant_counters(struct program *p)
{
    uint32_t top;
    loop_begin(p, ROUNDS, &top);
    for (int i = 0; i < 16; i++)
        rdcycle(p, T1);
    loop_end(p, top);
}

static void plant_forwarding(struct program *p)
{
    uint32_t top;
    lui(p, S2, DATA_START);
    loop_begin(p, ROUNDS, &top);
    for (int i = 0; i < 8; i++) {
        sd(p, T1, S2, 8);
        ld(p, T1, S2, 8);
    }
    loop_end(p, top);
}

/* Caches that hold none of the lines of a list; `level`: the first one that does. */
static void shrink(struct core_config *cfg, enum mem_level level)
{
    cfg->l1d_next_line = 0;
    cfg->l2tlb_entries = cfg->dtlb_entries = 1024;
    cfg->l1d_bytes = level >= MEM_LEVEL_L2 ? 4096 : cfg->l1d_bytes;
    cfg->l2_bytes = level >= MEM_LEVEL_LLC ? 8192 : cfg->l2_bytes;
    cfg->llc_bytes = level >= MEM_LEVEL_DRAM ? 16384 : cfg->llc_bytes;
}
static void serve_by_l2(struct core_config *cfg) { shrink(cfg, MEM_LEVEL_L2); }
static void serve_by_l3(struct core_config *cfg) { shrink(cfg, MEM_LEVEL_LLC); }
static void serve_by_dram(struct core_config *cfg) { shrink(cfg, MEM_LEVEL_DRAM); }
static void walk_slowly(struct core_config *cfg)
{
    cfg->dtlb_entries = cfg->l2tlb_entries = 2;
    cfg->walk_cycles = 200;
    cfg->l1d_bytes = 1 << 20;
}
static void shrink_code(struct core_config *cfg) { cfg->l1i_bytes = 4096; }
static void short_ftq(struct core_config *cfg)
{
    cfg->ftq_entries = 8;
    cfg->l1d_cycles = 20;
}
static void no_queue(struct core_config *cfg)
{
    serve_by_dram(cfg);
    cfg->store_queue = 4;
}

/* Each loop loses most of its slots to the planted cause. `cores`: a bit for each. */
static const struct planted {
    const char *path;
    void (*body)(struct program *p);
    void (*configure)(struct core_config *cfg);
    unsigned cores;
} planted[] = {
    {"backend_bound.core.divider", plant_divisions, NULL, 3},
    {"backend_bound.core.unit", plant_multiplications, NULL, 3},
    {"backend_bound.core.dependences", plant_chain, NULL, 3},
    {"backend_bound.core.serializing", plant_counters, NULL, 1},
    {"frontend_bound.latency.serial", plant_counters, NULL, 2},
    {"backend_bound.memory.data.l1", plant_cycle_of_one, NULL, 3},
    {"backend_bound.memory.data.l2", plant_list, serve_by_l2, 3},
    {"backend_bound.memory.data.l3", plant_list, serve_by_l3, 3},
    {"backend_bound.memory.data.external_mem", plant_list, serve_by_dram, 3},
    {"backend_bound.memory.addr.page_walk", plant_list, walk_slowly, 1},
    {"backend_bound.memory.data.forward", plant_forwarding, NULL, 3},
    {"backend_bound.memory.store.queue", plant_stores, no_queue, 3},
    {"bad_speculation.mispredict", plant_guesses, NULL, 3},
    {"frontend_bound.latency.data", plant_code, shrink_code, 3},
    {"backend_bound.memory.ftq.l1", plant_short_rounds, short_ftq, 1},
    {"backend_bound.core.ftq.divider", plant_short_divisions, short_ftq, 1},
};
enum { PLANTED = sizeof planted / sizeof planted[0] };

/* The share of a node in the lost slots. */
static double share_of(const struct analysed *a, const char *path)
{
    const uint64_t lost = topdown_total(a->slots) - a->slots[TOPDOWN_RETIRING];
    for (unsigned n = 0; n < TOPDOWN_NODES; n++)
        if (strcmp(topdown_node(n)->path, path) == 0)
            return (double)topdown_node_slots(topdown_node(n), a->slots) / (double)lost;
    ck_abort_msg("no node %s", path);
}

START_TEST(the_planted_cause_dominates)
{
    const struct planted *k = &planted[_i / CORES];
    const int core = _i % CORES;
    if ((k->cores >> core & 1) == 0)
        return;
    struct core_config cfg = plain_config(core);
    if (k->configure != NULL)
        k->configure(&cfg);
    struct program *p = program_begin();
    struct analysed a;
    k->body(p);
    exit_with(p, ZERO);
    analyse(&a, p, &cfg, UINT64_MAX);
    ck_assert_msg(share_of(&a, k->path) > 0.6, "core %d: %s has %.3f of the lost slots", core, k->path,
                  share_of(&a, k->path));
    analysed_fini(&a);
}
END_TEST

/* ---- issue and commit ---- */

static const char *const later[] = {"topdown-issue", "topdown-commit"};
enum { LATER = sizeof later / sizeof later[0] };

/* Sums of the run are those of the statistics; instructions beyond the width of a cycle count later. */
START_TEST(later_stages_add_up)
{
    struct core_config cfg = faulting(OOO);
    struct analysed a;
    cfg.decode_width = 2 + (uint32_t)_i / LATER;
    analyse_by(&a, later[_i % LATER], eventful_loop(200), &cfg, UINT64_MAX);
    const struct core_stats s = core_statistics(a.bench.core);
    const struct topdown_profile *p = profile_of(a.set);
    ck_assert_uint_le(p->width, cfg.decode_width);
    ck_assert_uint_eq(p->slots, p->width * core_cycle(a.bench.core));
    ck_assert_uint_eq(a.slots[TOPDOWN_RETIRING], s.retired);
    ck_assert_uint_eq(a.slots[TOPDOWN_IN_FLIGHT], 0);
    ck_assert_uint_gt(a.slots[TOPDOWN_FETCH_FLUSH], 0);
    ck_assert_uint_gt(a.slots[TOPDOWN_HANDLER], 0);
    ck_assert_uint_eq(slots_of(p, 0, TOPDOWN_HANDLER), a.slots[TOPDOWN_HANDLER]);
    analysed_fini(&a);
}
END_TEST

START_TEST(causes_of_later_stages_dominate)
{
    const struct planted *k = &planted[_i / LATER];
    const bool is_of_rename = strstr(k->path, "ftq") != NULL;
    struct core_config cfg = plain_config(OOO);
    if (k->configure != NULL)
        k->configure(&cfg);
    struct program *p = program_begin();
    struct analysed a;
    k->body(p);
    exit_with(p, ZERO);
    analyse_by(&a, later[_i % LATER], p, &cfg, UINT64_MAX);
    if ((k->cores & 1 << OOO) != 0 && !is_of_rename)
        ck_assert_msg(share_of(&a, k->path) > 0.5, "%s: %s has %.3f of the lost slots", later[_i % LATER], k->path,
                      share_of(&a, k->path));
    analysed_fini(&a);
}
END_TEST

/* The address of the division or load in the loop below. */
static uint64_t slow_pc(const struct topdown_profile *p, enum topdown_leaf leaf)
{
    uint64_t pc = 0, most = 0;
    for (size_t r = 0; r < p->rows; r++)
        if (p->row[r].slots[leaf] > most) {
            most = p->row[r].slots[leaf];
            pc = p->row[r].pc;
        }
    return pc;
}

/* Rounds of a division, three consumers of its result, and a younger division that needs them. */
static void plant_consumers(struct program *p)
{
    uint32_t top;
    addi(p, T1, ZERO, 2047);
    addi(p, T2, ZERO, 1);
    loop_begin(p, ROUNDS, &top);
    div_(p, T1, T1, T2);
    for (int i = 0; i < 3; i++)
        addi(p, T1, T1, 0);
    loop_end(p, top);
}

/* Each further cycle of the division costs all slots of a cycle in each round, and at both stages they are the
 * division's: at issue its first consumer waits for it, at commit it is the oldest instruction. */
START_TEST(a_longer_division_costs_its_cycles)
{
    enum { MORE = 7 };
    uint64_t slots[2];
    unsigned width = 0;
    for (unsigned n = 0; n < 2; n++) {
        struct core_config cfg = plain_config(OOO);
        struct program *p = program_begin();
        struct analysed a;
        cfg.div_cycles = 20 + n * MORE;
        plant_consumers(p);
        exit_with(p, ZERO);
        analyse_by(&a, later[_i], p, &cfg, UINT64_MAX);
        const struct topdown_profile *profile = profile_of(a.set);
        slots[n] = slots_of(profile, slow_pc(profile, TOPDOWN_DIVIDER), TOPDOWN_DIVIDER);
        ck_assert_uint_eq(slots[n], a.slots[TOPDOWN_DIVIDER]);
        width = profile->width;
        analysed_fini(&a);
    }
    ck_assert_uint_eq(slots[1] - slots[0], (uint64_t)width * ROUNDS * MORE);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("topdown");
    TCase *t = tcase_create("topdown");
    tcase_add_test(t, each_slot_has_its_row);
    tcase_add_test(t, nodes_are_sums_of_their_leaves);
    tcase_add_loop_test(t, events_of_all_kinds_add_up, 0, CORES);
    tcase_add_loop_test(t, a_cut_run_adds_up, 0, 10 * CORES);
    tcase_add_loop_test(t, interrupts_add_up, 0, CORES);
    tcase_add_loop_test(t, the_planted_cause_dominates, 0, PLANTED * CORES);
    tcase_add_loop_test(t, later_stages_add_up, 0, 3 * LATER);
    tcase_add_loop_test(t, causes_of_later_stages_dominate, 0, PLANTED * LATER);
    tcase_add_loop_test(t, a_longer_division_costs_its_cycles, 0, LATER);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return run_suite(s);
}

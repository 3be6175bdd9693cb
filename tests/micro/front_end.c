/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fetch, the front end's length, redirection, rename's and commit's width. */
#include "tests/micro/micro.h"

enum { LINE_UP = 64, DISTANCE = 48 }; /* instructions */

static void straight(struct scene *s) { scene_nops(s, LINE_UP); }

/* How long a straight line of DISTANCE instructions takes to pass a stage. */
static uint64_t straight_line(const struct micro *m, enum probe_stage stage)
{
    struct scene *s = scene_run(m, straight);
    uint64_t cycles = scene_at(s, s->ops + DISTANCE, stage) - scene_at(s, s->ops, stage);
    scene_free(s);
    return cycles;
}
static uint64_t fetch_time(const struct micro *m) { return straight_line(m, PROBE_FETCHED); }
static uint64_t map_time(const struct micro *m) { return straight_line(m, PROBE_MAPPED); }

/* A group ends with the width, or with the block. */
static uint64_t fetch_time_expected(const struct micro *m)
{
    uint32_t block = m->cfg.fetch_block_bytes / 4;
    return DISTANCE / (m->cfg.fetch_width < block ? m->cfg.fetch_width : block);
}
static uint64_t map_time_expected(const struct micro *m) { return DISTANCE / m->cfg.decode_width; }

static void gate_and_nops(struct scene *s)
{
    scene_gate(s);
    scene_nops(s, 10 * MICRO_BLOCK_WORDS);
}

/* Instructions fetched, but not in the ROB (in-order: the issue stage), when the gate opens. */
static uint64_t in_fetch_buffer(const struct micro *m)
{
    struct scene *s = scene_run(m, gate_and_nops);
    uint64_t n = scene_before_gate(s, PROBE_FETCHED) - scene_before_gate(s, PROBE_MAPPED);
    scene_free(s);
    return n;
}
static uint64_t fetch_buffer_expected(const struct micro *m) { return m->cfg.fetch_buffer; }
static void short_rob(struct micro *m) { m->cfg.rob_entries = 16; }

/* Packets of 16 instructions: the gate's is the first, and none leaves the queue. */
static uint64_t packets(const struct micro *m)
{
    struct scene *s = scene_run(m, gate_and_nops);
    uint64_t n = (scene_before_gate(s, PROBE_FETCHED) + s->ops - s->body) / MICRO_BLOCK_WORDS;
    scene_free(s);
    return n;
}
static uint64_t packets_expected(const struct micro *m) { return m->cfg.ftq_entries; }

/* The gate's dependent, then 32 that are ready: in steps of the width, the dependent being the first of a step. In
 * order, what counts is issue. */
static void gate_and_32(struct scene *s)
{
    scene_gate(s);
    scene_nops(s, 32);
}
static uint64_t commit_time(const struct micro *m)
{
    enum probe_stage stage = micro_inorder(m) ? PROBE_ISSUED : PROBE_RETIRED;
    struct scene *s = scene_run(m, gate_and_32);
    uint64_t cycles = scene_at(s, s->ops + 31, stage) - scene_at(s, s->opened, stage);
    scene_free(s);
    return cycles;
}
static uint64_t commit_time_expected(const struct micro *m) { return 32 / m->cfg.commit_width; }

/* A taken branch that a cold predictor gets wrong. Its target is in the line that fetch stands in. */
static uint64_t mispredicted(const struct micro *m, enum probe_stage from, bool of_branch, enum probe_stage to)
{
    enum { AT = 1, TARGET = 7 };
    struct program *p = program_begin();
    addi(p, T1, ZERO, 1);
    branch(p, 1, T1, ZERO, TARGET);
    while (p->count < TARGET)
        addi(p, T2, T2, 1);
    exit_with(p, ZERO);
    struct run *r = run_program(p, &m->cfg);
    const struct life *b = life_at(r, AT, 0), *next = life_at(r, TARGET, 0);
    uint64_t cycles = next->at[to] - (of_branch ? b : next)->at[from];
    ck_assert_ptr_null(life_at(r, AT + 1, 0));
    run_free(r);
    return cycles;
}
static uint64_t redirect_time(const struct micro *m)
{
    return mispredicted(m, PROBE_READY_TO_RETIRE, true, PROBE_FETCHED);
}
static uint64_t redirect_time_expected(const struct micro *m) { return m->cfg.redirect_cycles; }
static uint64_t front_time(const struct micro *m) { return mispredicted(m, PROBE_FETCHED, false, PROBE_MAPPED); }
static uint64_t front_time_expected(const struct micro *m) { return m->cfg.frontend_cycles; }

/* A jump that the BTB does not have yet. */
static uint64_t cold_jump(const struct micro *m)
{
    struct program *p = program_begin();
    jal(p, ZERO, 3);
    addi(p, ZERO, ZERO, 0);
    addi(p, ZERO, ZERO, 0);
    exit_with(p, ZERO);
    struct run *r = run_program(p, &m->cfg);
    uint64_t cycles = life_at(r, 3, 0)->at[PROBE_FETCHED] - life_at(r, 0, 0)->at[PROBE_FETCHED];
    run_free(r);
    return cycles;
}
static uint64_t cold_jump_expected(const struct micro *m) { return 1 + m->cfg.btb_miss_cycles; }

/* Raised when it starts, the line is taken that much later, in a loop whose instructions never stop retiring for long.
 */
struct line {
    uint64_t raised, taken;
};
static uint64_t serve(void *ctx, uint64_t cycle, uint64_t pc)
{
    (void)pc;
    ((struct line *)ctx)->taken = cycle;
    return 1;
}
static void open_loop(struct bench *b, const struct micro *m)
{
    struct program *p = program_begin();
    addi(p, T0, ZERO, 1000);
    uint32_t top = p->count;
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, ZERO);
    bench_open(b, p, &m->cfg);
}
static uint64_t interrupt_time(const struct micro *m)
{
    struct bench b;
    struct line line = {0};
    open_loop(&b, m);
    unsigned number = core_connect_interrupt(b.core, serve, &line);
    ck_assert_int_eq(core_run(b.core, 1000), RV_TRAP_LIMIT);
    line.raised = core_clock(b.core);
    core_raise_interrupt(b.core, number, line.raised);
    ck_assert_int_eq(core_run(b.core, 1000), RV_TRAP_LIMIT);
    bench_close(&b);
    return line.taken - line.raised;
}
/* In order, what issued in the cycle before it is due retires first. */
static uint64_t interrupt_time_expected(const struct micro *m) { return m->cfg.interrupt_cycles + micro_inorder(m); }

/* A load from a page that has not been touched is taken back, and fetched again. */
static uint64_t fault_time(const struct micro *m)
{
    struct program *p = program_begin();
    uint64_t squashed = 0;
    lui(p, S2, DATA_START);
    ld(p, T1, S2, 0);
    exit_with(p, ZERO);
    struct run *r = run_program(p, &m->cfg);
    const struct life *again = life_at(r, 1, 0);
    for (uint64_t n = 1; n <= r->trace.last_seq; n++)
        if (r->trace.life[n].pc == again->pc && (r->trace.life[n].events & PROBE_PAGE_FAULT))
            squashed = r->trace.life[n].at[PROBE_SQUASHED];
    uint64_t cycles = again->at[PROBE_FETCHED] - squashed;
    run_free(r);
    return cycles;
}
/* The handler begins when its first instruction would enter the ROB, and the program's is fetched as if redirected in
 * its last cycle. */
static uint64_t fault_time_expected(const struct micro *m)
{
    const struct core_config *c = &m->cfg;
    return c->redirect_cycles + c->frontend_cycles + c->page_fault_cycles - 1 + c->redirect_cycles;
}

/* The time of the guest's alarm in the same loop, as the statistics have it. */
static uint64_t alarm_time(const struct micro *m)
{
    struct bench b;
    open_loop(&b, m);
    ck_assert_int_eq(core_run(b.core, 500), RV_TRAP_LIMIT);
    b.guest.alarm_cycle = b.guest.hart.cycle + 100;
    core_begin(b.core);
    ck_assert_int_eq(core_run(b.core, 1000), RV_TRAP_LIMIT);
    uint64_t cycles = (uint64_t)stat_of(b.core, "stack_handler");
    bench_close(&b);
    return cycles;
}
/* The handler has the cycles until the program's next instruction arrives; in order also the two in which the addition
 * and the branch that have issued retire, because a due interrupt stops issue. */
static uint64_t alarm_time_expected(const struct micro *m)
{
    return m->cfg.timer_cycles + m->cfg.redirect_cycles + m->cfg.frontend_cycles + (micro_inorder(m) ? 2 : 0);
}

/* Behind an addition that waits for the gate, an operation that needs nothing: does it issue first? */
static void slow_and_free(struct scene *s)
{
    scene_gate(s);
    scene_dependent(s, 1);
    scene_independent(s, 1);
}
static uint64_t overtakes(const struct micro *m)
{
    struct scene *s = scene_run(m, slow_and_free);
    uint64_t first = scene_at(s, s->ops, PROBE_ISSUED) < scene_at(s, s->ops - 1, PROBE_ISSUED);
    scene_free(s);
    return first;
}
static uint64_t overtakes_expected(const struct micro *m) { return m->cfg.core == 0; }

static const struct micro_row rows[] = {
    {"core", MICRO_SHARED, .kind = RV_UNIT_ALU, VALUES(0, 1), .measure = overtakes, .expect = overtakes_expected},
    {"fetch_width", MICRO_BOTH, VALUES(2, 4, 8, 16), .measure = fetch_time, .expect = fetch_time_expected},
    {"fetch_block_bytes", MICRO_BOTH, VALUES(16, 32, 64), .measure = fetch_time, .expect = fetch_time_expected},
    {"fetch_buffer", MICRO_BOTH, VALUES(2, 8, 33), .set = short_rob, .measure = in_fetch_buffer,
     .expect = fetch_buffer_expected},
    {"ftq_entries", MICRO_OOO, VALUES(1, 2, 8), .measure = packets, .expect = packets_expected},
    {"frontend_cycles", MICRO_BOTH, VALUES(1, 7, 20), .measure = front_time, .expect = front_time_expected},
    {"redirect_cycles", MICRO_BOTH, VALUES(1, 2, 9), .measure = redirect_time, .expect = redirect_time_expected},
    {"interrupt_cycles", MICRO_BOTH, VALUES(1, 6, 100), .measure = interrupt_time, .expect = interrupt_time_expected},
    {"timer_cycles", MICRO_BOTH, VALUES(1, 50, 1000), .measure = alarm_time, .expect = alarm_time_expected},
    {"page_fault_cycles", MICRO_BOTH, VALUES(1, 50, 1000), .measure = fault_time, .expect = fault_time_expected},
    {"btb_miss_cycles", MICRO_BOTH, VALUES(0, 2, 9), .measure = cold_jump, .expect = cold_jump_expected},
    {"decode_width", MICRO_OOO, VALUES(1, 4, 8), .measure = map_time, .expect = map_time_expected},
    {"commit_width", MICRO_BOTH, VALUES(1, 2, 4, 8), .measure = commit_time, .expect = commit_time_expected},
};
MICRO_TABLE(front_end, rows);

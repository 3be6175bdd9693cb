/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads and stores among themselves: forwarding, the store-wait table, the way of stores to the cache. */
#include "tests/micro/micro.h"

/* A store that cannot retire before the gate, and a load of its word whose address the gate gives. */
static void store_then_load(struct scene *s)
{
    scene_gate(s);
    s->ops = s->p.count;
    sd(&s->p, S3, S2, 16);
    ld(&s->p, A0, T1, 16);
}
static uint64_t forward_time(const struct micro *m)
{
    struct scene *s = scene_run(m, store_then_load);
    uint64_t cycles = scene_at(s, s->ops + 1, PROBE_LOAD_COMPLETED) - scene_at(s, s->ops + 1, PROBE_ISSUED);
    scene_free(s);
    return cycles;
}
static uint64_t forward_time_expected(const struct micro *m) { return m->cfg.load_cycles + m->cfg.forward_cycles; }

/* Ordering violations of two loads, each behind a store to its word whose address is known late: the second load,
 * ALIAS_BYTES behind the first, waits if it finds the first one's entry in the table, or the violation is counted
 * again. Between them pass DELAY divisions. */
enum { ALIAS_BYTES = 64, DELAY = 8, DELAY_CYCLES = 250 };
static void late_store(struct program *p)
{
    div_(p, T1, S2, S3);
    sd(p, ZERO, T1, 8);
    ld(p, A0, S2, 8);
}
static uint64_t violations(const struct micro *m)
{
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, S3, ZERO, 1);
    late_store(p);
    uint32_t second = p->count + ALIAS_BYTES / 4;
    rdcycle(p, ZERO);
    for (int i = 0; i < DELAY; i++)
        div_(p, S3, S3, S3);
    rdcycle(p, ZERO);
    while (p->count < second - 3)
        addi(p, ZERO, ZERO, 0);
    late_store(p);
    exit_with(p, ZERO);
    struct run *r = run_program(p, &m->cfg);
    uint64_t n = r->trace.exceptions;
    run_free(r);
    return n;
}
/* By bits 1 and up of the pc. */
static uint64_t violations_expected(const struct micro *m)
{
    bool aliases = (ALIAS_BYTES >> 1 & (m->cfg.store_wait_entries - 1)) == 0;
    bool kept = m->cfg.store_wait_reset > DELAY * DELAY_CYCLES;
    return aliases && kept ? 1 : 2;
}
static void slow_division(struct micro *m) { m->cfg.div_cycles = DELAY_CYCLES; }
static void aliasing(struct micro *m)
{
    slow_division(m);
    m->cfg.store_wait_entries = 1;
}

/* A burst of stores to a line that is in the cache, and an atomic: it enters when the cache has the last of them. The
 * more that leave in a cycle, the sooner: all retire in two cycles, eight in each. */
enum { STORES = 16 };
static void stores_then_atomic(struct scene *s)
{
    scene_gate(s);
    s->ops = s->p.count;
    for (uint32_t i = 0; i < STORES; i++)
        sd(&s->p, ZERO, S2, 8);
    amoadd(&s->p, A0, ZERO, S2);
}
static uint64_t drain_time(const struct micro *m)
{
    struct scene *s = scene_run(m, stores_then_atomic);
    uint64_t cycles = scene_at(s, s->ops + STORES, PROBE_MAPPED) - scene_at(s, s->opened, PROBE_RETIRED);
    scene_free(s);
    return cycles;
}
/* The gate's dependent and seven stores retire in one cycle, in which the first store is sent, behind commit. */
static uint64_t drain_time_expected(const struct micro *m)
{
    return (STORES - 1) / m->cfg.store_drain + m->cfg.l1d_cycles;
}

/* In order, a store issues in a cycle at most, and the one before it leaves in that cycle: only the last waits to
 * leave, whatever the width. It does when the atomic stands at the head, all before it being retired: two cycles after
 * it has issued. */
static void lines_then_atomic(struct scene *s)
{
    scene_gate(s);
    s->ops = s->p.count;
    for (int i = 1; i <= STORES; i++)
        sd(&s->p, ZERO, S2, 64 * i);
    amoadd(&s->p, A0, ZERO, S2);
}
static uint64_t last_store_time(const struct micro *m)
{
    struct scene *s = scene_run(m, lines_then_atomic);
    uint64_t cycles = scene_at(s, s->ops + STORES, PROBE_ISSUED) - scene_at(s, s->ops + STORES - 1, PROBE_ISSUED);
    scene_free(s);
    return cycles;
}
static uint64_t last_store_time_expected(const struct micro *m) { return 2 + m->cfg.l1d_cycles; }

static const struct micro_row rows[] = {
    {"forward_cycles", MICRO_BOTH, VALUES(1, 3, 40), .measure = forward_time, .expect = forward_time_expected},
    {"store_wait_entries", MICRO_OOO, VALUES(1, 32, 64, 1024), .set = slow_division, .measure = violations,
     .expect = violations_expected},
    {"store_wait_reset", MICRO_OOO, VALUES(100, 1000000), .set = aliasing, .measure = violations,
     .expect = violations_expected},
    {"store_drain", MICRO_OOO, VALUES(1, 2, 4), .measure = drain_time, .expect = drain_time_expected},
    {"store_drain", MICRO_INORDER, .inert = true, VALUES(1, 2, 8), .measure = last_store_time,
     .expect = last_store_time_expected},
};
MICRO_TABLE(order, rows);

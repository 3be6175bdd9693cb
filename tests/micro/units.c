/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Function units: for each kind on both cores, its latency, how many there are, and whether one takes an operation each
 * cycle. */
#include "tests/micro/micro.h"

enum { CHAIN = 8, BURST = 16, ONE_BY_ONE = 4 };

static bool is_serial(unsigned kind) { return kind == RV_UNIT_AMO || kind == RV_UNIT_SYSTEM; }
static bool chains(unsigned kind) { return kind != RV_UNIT_BRANCH && kind != RV_UNIT_STORE && !is_serial(kind); }

static void gate_and_chain(struct scene *s)
{
    scene_gate(s);
    scene_chain(s, chains(s->m->kind) ? CHAIN : 1);
}
static uint64_t chain_time(const struct micro *m)
{
    struct scene *s = scene_run(m, gate_and_chain);
    uint64_t cycles = scene_at(s, s->ops + s->count - 1, PROBE_READY_TO_RETIRE) - scene_at(s, s->ops, PROBE_ISSUED);
    scene_free(s);
    return cycles;
}
/* A load and an atomic also read the cache, which they hit. */
static uint64_t whole_latency(const struct micro *m)
{
    bool reads = m->kind == RV_UNIT_LOAD || m->kind == RV_UNIT_AMO;
    return micro_unit_of(&m->cfg, m->kind).cycles + (reads ? m->cfg.l1d_cycles : 0);
}
static uint64_t chain_expected(const struct micro *m) { return (chains(m->kind) ? CHAIN : 1) * whole_latency(m); }

static void gate_and_burst(struct scene *s)
{
    scene_gate(s);
    scene_dependent(s, BURST);
}
static uint64_t burst(const struct micro *m)
{
    struct scene *s = scene_run(m, gate_and_burst);
    uint64_t first = scene_at(s, s->ops, PROBE_ISSUED), n = 0;
    for (uint32_t i = 0; i < s->count; i++)
        n += scene_at(s, s->ops + i, PROBE_ISSUED) == first;
    scene_free(s);
    return n;
}
/* Instructions that must be alone issue alone, with any number of units; and in order, no two stores issue in a cycle.
 * */
static uint64_t burst_expected(const struct micro *m)
{
    bool alone = is_serial(m->kind) || (micro_inorder(m) && m->kind == RV_UNIT_STORE);
    return alone ? 1 : micro_unit_of(&m->cfg, m->kind).units;
}

static void one_slow_unit(struct micro *m)
{
#define PARAM(key, def, min, max, unit, help)
#define UNIT(key, suffix, count, latency, pipe, help) \
    if (m->kind == RV_UNIT_##suffix) {                \
        m->cfg.key##_units = 1;                       \
        m->cfg.key##_cycles = 7;                      \
    }
#include "core-model/config/config.def"
}
static void gate_and_few(struct scene *s)
{
    scene_gate(s);
    scene_dependent(s, ONE_BY_ONE);
}
static uint64_t spread(const struct micro *m)
{
    struct scene *s = scene_run(m, gate_and_few);
    uint64_t cycles = scene_at(s, s->ops + ONE_BY_ONE - 1, PROBE_ISSUED) - scene_at(s, s->ops, PROBE_ISSUED);
    scene_free(s);
    return cycles;
}
/* One that must be alone enters the ROB in the cycle in which the one before it retires, which is the cycle after its
 * completion, and issues in the next; in order, it issues in the cycle in which the other retires. */
static uint64_t spread_expected(const struct micro *m)
{
    struct micro_unit u = micro_unit_of(&m->cfg, m->kind);
    if (is_serial(m->kind))
        return (ONE_BY_ONE - 1) * (whole_latency(m) + (micro_inorder(m) ? 1 : 2));
    return (ONE_BY_ONE - 1) * (u.pipelined ? 1 : u.cycles);
}

#define SERIAL(suffix) (RV_UNIT_##suffix == RV_UNIT_AMO || RV_UNIT_##suffix == RV_UNIT_SYSTEM)
static const struct micro_row rows[] = {
#define PARAM(key, def, min, max, unit, help)
#define UNIT(key, suffix, count, latency, pipe, help)                                                         \
    {#key "_cycles",          MICRO_BOTH, .kind = RV_UNIT_##suffix, VALUES(1, 5, 256), .measure = chain_time, \
     .expect = chain_expected},                                                                               \
        {#key "_units",   MICRO_OOO,        .inert = SERIAL(suffix), .kind = RV_UNIT_##suffix,                \
         VALUES(1, 3, 8), .measure = burst, .expect = burst_expected},                                        \
        {#key "_units",                                                                                       \
         MICRO_INORDER,                                                                                       \
         .inert = SERIAL(suffix) || RV_UNIT_##suffix == RV_UNIT_STORE,                                        \
         .kind = RV_UNIT_##suffix,                                                                            \
         VALUES(1, 3, 8),                                                                                     \
         .measure = burst,                                                                                    \
         .expect = burst_expected},                                                                           \
        {#key "_pipelined", MICRO_BOTH,           .inert = SERIAL(suffix), .kind = RV_UNIT_##suffix,          \
         VALUES(0, 1),      .set = one_slow_unit, .measure = spread,       .expect = spread_expected},
#include "core-model/config/config.def"
};
MICRO_TABLE(units, rows);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The structures that hold what is in flight: how many instructions get in behind a load that waits for memory; and how
 * many leave a queue in a cycle. */
#include "tests/micro/micro.h"

enum { MANY = 64 };

static void gate_dependent(struct scene *s)
{
    scene_gate(s);
    scene_dependent(s, MANY);
}
static void gate_independent(struct scene *s)
{
    scene_gate(s);
    scene_independent(s, MANY);
}
static void gate_nops(struct scene *s)
{
    scene_gate(s);
    scene_nops(s, MANY);
}
static uint64_t got_in(const struct micro *m, void (*body)(struct scene *s))
{
    struct scene *s = scene_run(m, body);
    uint64_t n = scene_before_gate(s, PROBE_MAPPED);
    scene_free(s);
    return n;
}
static uint64_t dependent_in(const struct micro *m) { return got_in(m, gate_dependent); }
static uint64_t independent_in(const struct micro *m) { return got_in(m, gate_independent); }
static uint64_t nops_in(const struct micro *m) { return got_in(m, gate_nops); }

/* The gate is a load and an addition, and where the kind is of floating point a move. */
static uint64_t rob_expected(const struct micro *m) { return m->cfg.rob_entries - 2; }
static uint64_t int_registers_expected(const struct micro *m) { return m->cfg.int_registers - 32 - 2; }
static uint64_t fp_registers_expected(const struct micro *m) { return m->cfg.fp_registers - 32 - 1; }
static uint64_t branches_expected(const struct micro *m) { return m->cfg.max_branches; }
static uint64_t int_queue_expected(const struct micro *m) { return m->cfg.int_queue - 1; }
static uint64_t fp_queue_expected(const struct micro *m) { return m->cfg.fp_queue - 1; }
static uint64_t mem_queue_expected(const struct micro *m)
{
    return m->cfg.mem_in_int_queue ? m->cfg.int_queue - 1 : m->cfg.mem_queue;
}
static void queues_differ(struct micro *m)
{
    m->cfg.mem_queue = 20;
    m->cfg.int_queue = 30;
}
static uint64_t load_queue_expected(const struct micro *m) { return m->cfg.load_queue - 1; }
static uint64_t store_queue_expected(const struct micro *m) { return m->cfg.store_queue; }

/* In order: a burst of stores to different lines, one a cycle, while the first waits for memory. The last of them that
 * issues without a wait finds the last free entry. */
static void gate_stores(struct scene *s)
{
    emit(&s->p, 0x0ff0000f); /* fence: the last round's stores are in the cache */
    scene_gate(s);
    addi(&s->p, T2, S4, 1024);
    s->ops = s->p.count;
    for (uint32_t i = 0; i < 80; i++) {
        sd(&s->p, ZERO, T2, 0);
        addi(&s->p, T2, T2, 64);
    }
}
static uint64_t stores_in(const struct micro *m)
{
    struct scene *s = scene_run(m, gate_stores);
    uint32_t n = 1;
    while (scene_at(s, s->ops + 2 * n, PROBE_ISSUED) == scene_at(s, s->ops + 2 * n - 2, PROBE_ISSUED) + 1)
        n++;
    scene_free(s);
    return n;
}

/* Operations that wait for one value are ready in one cycle. */
static uint64_t issued_at_once(const struct micro *m)
{
    struct scene *s = scene_run(m, gate_dependent);
    uint64_t first = scene_at(s, s->ops, PROBE_ISSUED), n = 0;
    for (uint32_t i = 0; i < s->count; i++)
        n += scene_at(s, s->ops + i, PROBE_ISSUED) == first;
    scene_free(s);
    return n;
}
static uint64_t int_issue_expected(const struct micro *m) { return m->cfg.int_issue; }
static uint64_t fp_issue_expected(const struct micro *m) { return m->cfg.fp_issue; }
static uint64_t mem_issue_expected(const struct micro *m) { return m->cfg.mem_issue; }
static uint64_t mem_ports_expected(const struct micro *m) { return m->cfg.mem_ports; }

static const struct micro_row rows[] = {
    {"rob_entries", MICRO_OOO, VALUES(8, 16, 50), .measure = nops_in, .expect = rob_expected},
    {"int_registers", MICRO_OOO, .kind = RV_UNIT_ALU, VALUES(36, 64, 90), .measure = independent_in,
     .expect = int_registers_expected},
    {"fp_registers", MICRO_OOO, .kind = RV_UNIT_FADD, VALUES(33, 64, 90), .measure = independent_in,
     .expect = fp_registers_expected},
    {"max_branches", MICRO_OOO, .kind = RV_UNIT_BRANCH, VALUES(1, 4, 20), .measure = dependent_in,
     .expect = branches_expected},
    {"int_queue", MICRO_OOO, .kind = RV_UNIT_ALU, VALUES(1, 4, 40), .measure = dependent_in,
     .expect = int_queue_expected},
    {"fp_queue", MICRO_OOO, .kind = RV_UNIT_FADD, VALUES(1, 4, 40), .measure = dependent_in,
     .expect = fp_queue_expected},
    {"mem_queue", MICRO_OOO, .kind = RV_UNIT_LOAD, VALUES(1, 4, 40), .measure = dependent_in,
     .expect = mem_queue_expected},
    {"mem_in_int_queue", MICRO_OOO, .kind = RV_UNIT_LOAD, VALUES(0, 1), .set = queues_differ, .measure = dependent_in,
     .expect = mem_queue_expected},
    {"load_queue", MICRO_OOO, .kind = RV_UNIT_LOAD, VALUES(1, 4, 40), .measure = independent_in,
     .expect = load_queue_expected},
    {"store_queue", MICRO_OOO, .kind = RV_UNIT_STORE, VALUES(1, 4, 40), .measure = independent_in,
     .expect = store_queue_expected},
    {"store_queue", MICRO_INORDER, VALUES(1, 6, 70), .measure = stores_in, .expect = store_queue_expected},
    {"int_issue", MICRO_OOO, .kind = RV_UNIT_ALU, VALUES(1, 2, 7), .measure = issued_at_once,
     .expect = int_issue_expected},
    {"fp_issue", MICRO_OOO, .kind = RV_UNIT_FADD, VALUES(1, 2, 7), .measure = issued_at_once,
     .expect = fp_issue_expected},
    {"mem_issue", MICRO_OOO, .kind = RV_UNIT_LOAD, VALUES(1, 2, 7), .measure = issued_at_once,
     .expect = mem_issue_expected},
    {"mem_ports", MICRO_BOTH, .kind = RV_UNIT_LOAD, VALUES(1, 2, 7), .measure = issued_at_once,
     .expect = mem_ports_expected},
};
MICRO_TABLE(window, rows);

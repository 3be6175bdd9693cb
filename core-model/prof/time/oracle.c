/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Oracle: attributes every cycle to the instructions whose latency commit exposes in it (TIP paper, section 2.2).
 * The cycle in which an exception is raised is a stall of its instruction; the following empty cycles are its flush. A
 * memory-ordering violation of a load is treated in the same way and attributed to the load. An interrupt handler, and
 * the empty cycles after it, are attributed to no instruction of the program. */
#include "core-model/prof/time/oracle.h"

#include "base/status.h"
#include "core-model/prof/time/oir.h"

struct oracle {
    uint64_t drained; /* drained cycles, to be attributed to the first instruction that enters the ROB */
};

static void oracle_token(void *ctx, const struct probe_token *t)
{
    struct profiler *p = ctx;
    struct oracle *o = p->state;
    if (t->committing > 0) {
        token_share(&p->map, t, t->repeat);
    } else if (t->handler) { /* the handler's first instruction ends a drained state */
        time_map_add(&p->map, HANDLER_PC, STATE_HANDLER, (o->drained + t->repeat) * TIME_PER_CYCLE);
        o->drained = 0;
    } else if (token_is_empty(t)) {
        enum time_state state = oir_state(&t->oir);
        if (state == STATE_DRAINED)
            o->drained += t->repeat;
        else
            time_map_add(&p->map, t->oir.pc, state, t->repeat * TIME_PER_CYCLE);
    } else {
        uint64_t pc = token_head_pc(t);
        time_map_add(&p->map, pc, STATE_STALLED, t->repeat * TIME_PER_CYCLE);
        if (t->rob_empty && o->drained != 0) {
            time_map_add(&p->map, pc, STATE_DRAINED, o->drained * TIME_PER_CYCLE);
            o->drained = 0;
        }
    }
}

/* Adds the time of these cycles, times `sign`. Without `enters`, time of addresses that are not in the index yet goes
 * to number 0. */
static inline __attribute__((always_inline)) void oracle_add(struct time_map *m, const struct probe_commits *c,
                                                             uint64_t sign, bool enters)
{
    const struct pc_page *page = &pc_no_page;
    const uint64_t *pc = c->pc;
    const struct probe_commit *const end = c->at + c->cycles;
    for (const struct probe_commit *n = c->at; n != end; n++) {
        const uint64_t part = sign * time_parts[n->committing], *const after = pc + n->committing;
        if (n->stalled != 0) {
            const uint32_t at = enters ? time_map_find(m, *pc, &page) : pc_index_find(&m->index, *pc, &page);
            m->time[STATE_STALLED][at] += sign * n->stalled * TIME_PER_CYCLE;
        }
        do {
            const uint32_t at = enters ? time_map_find(m, *pc, &page) : pc_index_find(&m->index, *pc, &page);
            m->time[STATE_COMPUTING][at] += part;
        } while (++pc != after);
    }
}

static __attribute__((noinline)) void add_new(struct time_map *m, const struct probe_commits *c)
{
    oracle_add(m, c, UINT64_MAX, false);
    oracle_add(m, c, 1, true);
}

/* Nearly always all addresses are known. So the time is added without a test for each address; if an address was not
 * known, it is subtracted and added with the test. */
static void oracle_commits(void *ctx, const struct probe_commits *c)
{
    struct time_map *m = &((struct profiler *)ctx)->map;
    oracle_add(m, c, 1, false);
    if (__builtin_expect(m->time[STATE_COMPUTING][0] != 0, 0))
        add_new(m, c);
}

static void oracle_counted(void *ctx, const struct probe_counted *n)
{
    struct time_map *m = &((struct profiler *)ctx)->map;
    const struct pc_page *page = &pc_no_page;
    const uint64_t time = n->times * n->cycles * TIME_PER_CYCLE;
    if (n->pc == NULL) {
        time_map_add(m, n->oir.pc, oir_state(&n->oir), time);
        return;
    }
    if (n->committing == 0)
        time_map_add(m, n->pc[0], STATE_STALLED, time);
    for (unsigned k = 0; k < n->committing; k++)
        m->time[STATE_COMPUTING][time_map_find(m, n->pc[k], &page)] += n->times * time_parts[n->committing];
}

/* Drained cycles at the end of the run are attributed to no instruction. */
static void oracle_finish(struct profiler *p)
{
    struct oracle *o = p->state;
    if (o->drained != 0)
        time_map_add(&p->map, 0, STATE_DRAINED, o->drained * TIME_PER_CYCLE);
    o->drained = 0;
}

void oracle_start(struct profiler *p)
{
    p->state = xcalloc(1, sizeof(struct oracle));
    p->base.probe.token = oracle_token;
    p->base.probe.commits = oracle_commits;
    p->base.probe.counted = oracle_counted;
    p->base.probe.token_outline = true;
    p->finish = oracle_finish;
}

PROFILER(oracle, "oracle", NULL, oracle_start, true,
         "exact: every cycle goes to the instructions whose latency commit exposes")

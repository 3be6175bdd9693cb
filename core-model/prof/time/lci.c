/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Last committed instruction, as observed by an external monitor (Arm CoreSight): the youngest instruction of the last
 * commit, which can be in the trigger's own cycle (TIP paper, section 2.2). The paper's Figure 4b takes the oldest of a
 * group and 4c the youngest; the youngest is the last one. */
#include "core-model/prof/time/profiler.h"

static void lci_token(void *ctx, const struct probe_token *t)
{
    struct profiler *p = ctx;
    enum time_state state = t->last_handler ? STATE_HANDLER : STATE_COMPUTING;
    uint64_t cycles = schedule_take_until(&p->schedule, t->cycle + t->repeat, &p->samples);
    if (cycles != 0)
        time_map_add(&p->map, t->last_commit, state, cycles * TIME_PER_CYCLE);
    p->token_from = p->schedule.next;
}

static void lci_start(struct profiler *p) { profiler_on_samples(p, lci_token); }

PROFILER(lci, "lci", profiler_sampling, lci_start, false, "last committed instruction, as Arm CoreSight")

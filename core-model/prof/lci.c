/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Last committed instruction, as an external monitor sees it (Arm CoreSight): the youngest of the last commit, that of the
 * trigger's own cycle included (TIP paper, section 2.2). The paper's Figure 4b takes the oldest of a group and 4c the youngest;
 * the youngest is the last one. */
#include "core-model/prof/profiler.h"

#include "isa/support/status.h"

struct lci {
    uint64_t pc;
    enum time_state state;
};

static void token(void *ctx, const struct probe_token *t)
{
    struct profiler *p = ctx;
    struct lci *lci = p->state;
    if (t->committing > 0) {
        *lci = (struct lci){.pc = t->bank[token_youngest(t)].pc, .state = STATE_COMPUTING};
    } else if (t->handler) {
        *lci = (struct lci){.pc = HANDLER_PC, .state = STATE_HANDLER};
    }
    while (schedule_due(&p->schedule, t->cycle + t->repeat)) {
        time_map_add(&p->map, lci->pc, lci->state, schedule_take(&p->schedule) * TIME_PER_CYCLE);
        p->samples++;
    }
}

void profiler_start_lci(struct profiler *p)
{
    p->state = xcalloc(1, sizeof(struct lci));
    p->observer.token = token;
}

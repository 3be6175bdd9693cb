/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Next committing instruction, as Intel's PEBS: from the trigger's cycle on, the sample waits for a commit and takes
 * the oldest committing instruction; nci+ilp takes all (TIP paper, sections 2.2 and 5.2, Figure 11c). */
#include "core-model/prof/time/profiler.h"

#include "base/status.h"

struct nci {
    uint64_t waiting; /* cycles represented by the waiting sample; further triggers select the same instruction and join
                       * it */
    bool ilp;
};

static void nci_token(void *ctx, const struct probe_token *t)
{
    struct profiler *p = ctx;
    struct nci *nci = p->state;
    nci->waiting += schedule_take_until(&p->schedule, t->cycle + t->repeat, &p->samples);
    p->token_from = nci->waiting != 0 ? 0 : p->schedule.next;
    if (nci->waiting == 0 || (t->committing == 0 && !t->handler))
        return;
    if (t->committing == 0) /* the handler's first instruction */
        time_map_add(&p->map, HANDLER_PC, STATE_HANDLER, nci->waiting * TIME_PER_CYCLE);
    else if (nci->ilp)
        token_share(&p->map, t, nci->waiting);
    else
        time_map_add(&p->map, t->bank[t->head].pc, STATE_COMPUTING, nci->waiting * TIME_PER_CYCLE);
    nci->waiting = 0;
    p->token_from = p->schedule.next;
}

static void nci_finish(struct profiler *p)
{
    struct nci *nci = p->state;
    if (nci->waiting != 0)
        time_map_add(&p->map, 0, STATE_COMPUTING, nci->waiting * TIME_PER_CYCLE);
    nci->waiting = 0;
}

static void nci_start(struct profiler *p)
{
    p->state = xcalloc(1, sizeof(struct nci));
    profiler_on_samples(p, nci_token);
    p->finish = nci_finish;
}

static void start_ilp(struct profiler *p)
{
    nci_start(p);
    ((struct nci *)p->state)->ilp = true;
}

PROFILER(nci, "nci", profiler_sampling, nci_start, false, "next committing instruction, as Intel PEBS")
PROFILER(nci_ilp, "nci+ilp", profiler_sampling, start_ilp, false, "all instructions of the next commit")

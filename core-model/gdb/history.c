/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/gdb/history.h"

#include <stdlib.h>

void gdb_history_begin(struct gdb_history *h)
{
    gdb_history_free(h);
    h->moment = xcalloc(GDB_HISTORY_MAX, sizeof *h->moment);
}

void gdb_history_free(struct gdb_history *h)
{
    free(h->moment);
    *h = (struct gdb_history){0};
}

void gdb_history_forget(struct gdb_history *h) { h->count = 0; }

/* Executes the instruction at the guest's pc, and keeps it if it can be taken back. Decoded code is not taken back. */
static enum rv_trap execute_one(struct gdb_history *h, struct hart *hart)
{
    enum rv_trap trap;
    struct gdb_moment *m = &h->moment[h->end % GDB_HISTORY_MAX];
    const struct rv_insn *in = rv_fetch(hart, hart->pc, &trap);
    if (in == NULL)
        return trap;
    m->pc = hart->pc;
    m->insn = *in;
    rv_exec(hart, &m->insn, &m->outcome);
    if (m->outcome.trap != RV_TRAP_NONE)
        return (enum rv_trap)m->outcome.trap;
    hart->instret++;
    hart->cycle++;
    h->end++;
    h->count += h->count < GDB_HISTORY_MAX;
    if (m->insn.op == RV_FENCE_I)
        gdb_history_forget(h);
    return RV_TRAP_NONE;
}

/* The system acts: nothing before it can be taken back, unless a debugger has withheld a fault. */
static void enter_system(struct gdb_history *h, struct guest *g, enum rv_trap trap)
{
    const uint64_t pc = g->hart.pc;
    if (trap == RV_TRAP_ECALL) {
        guest_syscall(g);
        g->hart.instret++;
        g->hart.cycle++;
    } else {
        guest_fault(g, trap);
    }
    if (trap == RV_TRAP_ECALL || g->hart.pc != pc || g->process->exited)
        gdb_history_forget(h);
}

enum rv_trap gdb_history_run(struct gdb_history *h, struct guest *g, uint64_t max_insts, uint64_t stop_pc)
{
    struct hart *hart = &g->hart;
    const uint64_t end = max_insts > UINT64_MAX - hart->instret ? UINT64_MAX : hart->instret + max_insts;
    while (!g->process->exited) {
        if (hart->stop)
            return RV_TRAP_STOP;
        if (hart->instret == end || hart->pc == stop_pc)
            return RV_TRAP_LIMIT;
        if (hart->cycle >= g->alarm_cycle) {
            gdb_history_forget(h);
            guest_alarm(g);
            continue;
        }
        const enum rv_trap trap = execute_one(h, hart);
        if (trap != RV_TRAP_NONE)
            enter_system(h, g, trap);
    }
    return RV_TRAP_NONE;
}

const struct gdb_moment *gdb_history_undo(struct gdb_history *h, struct guest *g)
{
    if (h->count == 0)
        return NULL;
    const struct gdb_moment *m = &h->moment[--h->end % GDB_HISTORY_MAX];
    h->count--;
    rv_undo(&g->hart, &m->insn, m->pc, &m->outcome);
    g->hart.instret--;
    g->hart.cycle--;
    return m;
}

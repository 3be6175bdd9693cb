/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The harts of a process: addition and removal, and what one hart makes the others do. */
#include "core-model/linux/sched.h"
#include "core-model/riscv/code.h"

void linux_quiesce_others(struct guest *g)
{
    const struct linux_sched *sched = g->sched;
    for (unsigned n = 0; n < sched->harts; n++)
        if (sched->hart[n] != g && sched->quiesce != NULL)
            sched->quiesce(sched->quiesce_ctx, sched->hart[n]);
}

static void changing(void *ctx) { linux_quiesce_others(ctx); }

static void watch_memory(struct guest *g)
{
    g->hart.mem.changing = g->sched->harts > 1 ? changing : NULL;
    g->hart.mem.changing_ctx = g;
}

enum status guest_add_hart(struct guest *g, struct guest *first, struct errmsg *err)
{
    struct linux_sched *sched = first->sched;
    *g = (struct guest){.alarm_cycle = 0,
                        .number = sched->harts,
                        .process = first->process,
                        .sched = sched,
                        .space = first->space,
                        .files = first->files,
                        .names = first->names,
                        .signals = first->signals,
                        .clock = first->clock,
                        .task = first->task};
    g->hart = (struct hart){.reservation = UINT64_MAX,
                            .cycle = first->hart.cycle,
                            .time_per_1000_cycles = first->hart.time_per_1000_cycles,
                            .slept_cycles = first->hart.slept_cycles,
                            .mem = first->hart.mem};
    enum status st = code_init(&g->hart, err);
    if (st != ST_OK)
        return st;
    sched->hart[sched->harts++] = g;
    for (unsigned n = 0; n < sched->harts; n++)
        watch_memory(sched->hart[n]);
    return ST_OK;
}

void guest_remove_hart(struct guest *g)
{
    struct linux_sched *sched = g->sched;
    code_fini(&g->hart);
    for (unsigned n = 0; n < sched->harts; n++)
        if (sched->hart[n] == g)
            sched->hart[n] = sched->hart[--sched->harts];
}

void guest_set_quiesce(struct guest *first, void (*quiesce)(void *ctx, struct guest *hart), void *ctx)
{
    first->sched->quiesce = quiesce;
    first->sched->quiesce_ctx = ctx;
}

void linux_discard_code(struct guest *g, uint64_t start, uint64_t size_bytes)
{
    linux_quiesce_others(g);
    rv_discard_code(&g->hart, start, size_bytes);
    for (unsigned n = 0; n < g->sched->harts; n++)
        if (g->sched->hart[n] != g)
            rv_drop_code(&g->sched->hart[n]->hart, start, size_bytes);
}

/* Calls a function that drops decoded instructions for each hart. */
static void drop_on_all(struct guest *g, void (*drop)(struct hart *h))
{
    linux_quiesce_others(g);
    for (unsigned n = 0; n < g->sched->harts; n++)
        drop(&g->sched->hart[n]->hart);
}

void linux_flush_code(struct guest *g) { drop_on_all(g, rv_drop_stale_code); }
void linux_drop_cut_code(struct guest *g) { drop_on_all(g, rv_drop_missing_code); }

void linux_harts_leave(struct guest *g)
{
    g->sched->hart[0] = g;
    g->sched->harts = 1;
    g->sched->quiesce = NULL;
    g->hart.stores = NULL;
    watch_memory(g);
}

void linux_harts_share_memory(struct guest *g)
{
    for (unsigned n = 0; n < g->sched->harts; n++) {
        g->sched->hart[n]->hart.mem = g->hart.mem;
        watch_memory(g->sched->hart[n]);
    }
}

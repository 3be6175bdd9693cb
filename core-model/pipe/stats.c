/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics: the cycle stack, and printing by stats.def. Entry points: stats_account, core_print_stats. */
#include <inttypes.h>

#include "core-model/pipe/pipe.h"

static uint64_t *stall_of_head(struct core *c, const struct slot *s)
{
    switch (s->insn->unit) {
    case RV_UNIT_LOAD: {
        uint64_t *by_level[] = {&c->stats.stack_load_l1, &c->stats.stack_load_l2, &c->stats.stack_load_llc,
                                &c->stats.stack_load_dram};
        return by_level[s->level];
    }
    case RV_UNIT_STORE: return &c->stats.stack_store;
    case RV_UNIT_AMO:
    case RV_UNIT_SYSTEM: return &c->stats.stack_serial;
    case RV_UNIT_FADD:
    case RV_UNIT_FMUL:
    case RV_UNIT_FMA:
    case RV_UNIT_FDIV:
    case RV_UNIT_FSQRT:
    case RV_UNIT_FMISC: return &c->stats.stack_fp;
    default: return &c->stats.stack_int;
    }
}

static uint64_t *stall_of_empty(struct core *c)
{
    switch ((enum empty_cause)c->empty) {
    case EMPTY_MISPREDICT: return &c->stats.stack_mispredict;
    case EMPTY_FLUSH: return &c->stats.stack_flush;
    case EMPTY_EXCEPTION: return &c->stats.stack_exception;
    case EMPTY_FRONTEND: break;
    }
    return c->fetch_events != 0 ? &c->stats.stack_icache : &c->stats.stack_frontend;
}

void stats_account(struct core *c, uint64_t cycles)
{
    const struct cycle_report *r = &c->cycle;
    c->stats.cycles += cycles;
    if (r->stall != NULL)
        *r->stall += cycles;
    if (r->commits > 0)
        c->stats.stack_commit += cycles;
    else if (r->exception)
        c->stats.stack_exception += cycles;
    else if (r->head == r->rob_tail)
        *stall_of_empty(c) += cycles;
    else
        *stall_of_head(c, &c->slot[r->head & c->ring_mask]) += cycles;
}

/* The counters that live with the caches. */
static struct core_stats stats_collect(const struct core *c)
{
    struct core_stats s = c->stats;
    const struct hierarchy *m = &c->mem;
    s.retired = c->retired;
    s.l1i_accesses = m->l1i.stats.accesses;
    s.l1i_misses = m->l1i.stats.misses;
    s.l1d_accesses = m->l1d.stats.accesses;
    s.l1d_misses = m->l1d.stats.misses;
    s.l1d_merged = m->l1d.stats.merged;
    s.l1d_mshr_waits = m->l1d.stats.mshr_waits;
    s.l1d_prefetches = m->l1d.stats.prefetches;
    s.l1d_writebacks = m->l1d.stats.writebacks;
    s.l2_accesses = m->l2.stats.accesses;
    s.l2_misses = m->l2.stats.misses;
    s.llc_accesses = m->llc.stats.accesses;
    s.llc_misses = m->llc.stats.misses;
    s.dram_reads = m->dram.reads;
    s.dram_writes = m->dram.writes;
    s.itlb_misses = m->itlb.misses;
    s.dtlb_misses = m->dtlb.misses;
    s.l2tlb_misses = m->l2tlb.misses;
    return s;
}

static double ratio(uint64_t a, uint64_t b) { return b != 0 ? (double)a / (double)b : 0; }

void core_print_stats(const struct core *c, FILE *out, bool json)
{
    const struct core_stats s = stats_collect(c);
    double ipc = ratio(s.retired, s.cycles), mpki = 1000 * ratio(s.mispredicted_direction, s.retired);
    const char *text = "%-24s %20" PRIu64 " %-13s # %s\n";
    if (json) {
        fprintf(out, "{\"ipc\": %.6f, \"mispredictions_per_1000\": %.6f", ipc, mpki);
#define STAT(name, unit, help) fprintf(out, ", \"" #name "\": %" PRIu64, s.name);
#define STACK(name, help) STAT(name, "cycles", help)
#include "core-model/pipe/stats.def"
#undef STACK
#undef STAT
        fputs("}\n", out);
        return;
    }
#define STAT(name, unit, help) fprintf(out, text, #name, s.name, unit, help);
#define STACK(name, help) \
    fprintf(out, "%-24s %20" PRIu64 " %-13s # %5.1f %% %s\n", #name, s.name, "cycles", 100 * ratio(s.name, s.cycles), help);
#include "core-model/pipe/stats.def"
#undef STACK
#undef STAT
    fprintf(out, "%-24s %20.4f %-13s # %s\n", "ipc", ipc, "per cycle", "instructions retired");
    fprintf(out, "%-24s %20.4f %-13s # %s\n", "mispredictions_per_1000", mpki, "branches",
            "direction mispredicted, per 1000 instructions retired");
}

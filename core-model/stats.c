/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics: what the caches counted is added, and all is printed by stats.def. */
#include "core-model/stats.h"

#include <inttypes.h>

#include "isa/opclass.h"

void stats_count_transfer(struct core_stats *s, const struct rv_insn *in, bool wrong)
{
    if (in->flags & RV_BRANCH) {
        s->branches++;
        s->mispredicted_direction += wrong;
    } else if (in->opclass == OPCLASS_RET || in->opclass == OPCLASS_SWAP) {
        s->returns++;
        s->mispredicted_return += wrong;
    } else if (in->flags & RV_INDIRECT) {
        s->indirect_jumps++;
        s->mispredicted_target += wrong;
    }
}

void stats_collect(struct core_stats *s, const struct hierarchy *m)
{
    s->l1i_accesses = m->l1i.stats.accesses;
    s->l1i_misses = m->l1i.stats.misses;
    s->l1d_accesses = m->l1d.stats.accesses;
    s->l1d_misses = m->l1d.stats.misses;
    s->l1d_merged = m->l1d.stats.merged;
    s->l1d_mshr_waits = m->l1d.stats.mshr_waits;
    s->l1d_prefetches = m->l1d.stats.prefetches;
    s->l1d_writebacks = m->l1d.stats.writebacks;
    s->l2_accesses = m->l2.stats.accesses;
    s->l2_misses = m->l2.stats.misses;
    s->llc_accesses = m->llc.stats.accesses;
    s->llc_misses = m->llc.stats.misses;
    s->dram_reads = m->dram.reads;
    s->dram_writes = m->dram.writes;
    s->dram_row_hits = m->dram.row_hits;
    s->dram_row_conflicts = m->dram.row_conflicts;
    s->itlb_misses = m->itlb.misses;
    s->dtlb_misses = m->dtlb.misses;
    s->l2tlb_misses = m->l2tlb.misses;
}

uint64_t stats_stack_sum(const struct core_stats *s)
{
    uint64_t sum = 0;
#define STAT(name, unit, event, help)
#define STACK(name, help) sum += s->name;
#include "core-model/stats.def"
    return sum;
}

uint64_t stats_fetch_sum(const struct core_stats *s)
{
    uint64_t sum = 0;
#define STAT(name, unit, event, help)
#define FETCH(name, help) sum += s->name;
#include "core-model/stats.def"
    return sum;
}

uint64_t *stats_of_fetch_wait(struct core_stats *s, enum fetch_wait wait)
{
    uint64_t *by_wait[] = {&s->fetch_redirect, &s->fetch_btb, &s->fetch_itlb, &s->fetch_icache, &s->fetch_handler};
    return by_wait[wait];
}

static double ratio(uint64_t a, uint64_t b) { return b != 0 ? (double)a / (double)b : 0; }

void stats_print(const struct core_stats *s, FILE *out, bool json)
{
    double ipc = ratio(s->retired, s->cycles), mpki = 1000 * ratio(s->mispredicted_direction, s->retired);
    const char *text = "%-24s %20" PRIu64 " %-13s # %s\n";
    if (json) {
        fprintf(out, "{\"ipc\": %.6f, \"mispredictions_per_1000\": %.6f", ipc, mpki);
#define STAT(name, unit, event, help) fprintf(out, ", \"" #name "\": %" PRIu64, s->name);
#include "core-model/stats.def"
        fputs("}\n", out);
        return;
    }
#define STAT(name, unit, event, help) fprintf(out, text, #name, s->name, unit, event[0] != '\0' ? help " (" event ")" : help);
#define STACK(name, help) \
    fprintf(out, "%-24s %20" PRIu64 " %-13s # %5.1f %% %s\n", #name, s->name, "cycles", 100 * ratio(s->name, s->cycles), help);
#define FETCH(name, help) STACK(name, help)
#include "core-model/stats.def"
    fprintf(out, "%-24s %20.4f %-13s # %s\n", "ipc", ipc, "per cycle", "instructions retired");
    fprintf(out, "%-24s %20.4f %-13s # %s\n", "mispredictions_per_1000", mpki, "branches",
            "direction mispredicted, per 1000 instructions retired");
}

uint64_t *stats_stall_of_unit(struct core_stats *s, enum rv_unit unit)
{
    switch (unit) {
    case RV_UNIT_STORE:
        return &s->stack_store;
    case RV_UNIT_AMO:
    case RV_UNIT_SYSTEM:
        return &s->stack_serial;
    case RV_UNIT_FADD:
    case RV_UNIT_FMUL:
    case RV_UNIT_FMA:
    case RV_UNIT_FDIV:
    case RV_UNIT_FSQRT:
    case RV_UNIT_FMISC:
        return &s->stack_fp;
    default:
        return &s->stack_int;
    }
}

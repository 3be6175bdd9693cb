/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collection of the counters of the caches, and printing of all statistics in the order of stats.def. */
#include "core-model/stats.h"

#include <inttypes.h>

#include "contract/opclass.h"

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

void stats_collect(struct core_stats *s, const struct hierarchy *m, uint64_t now)
{
    s->l1i_accesses = m->l1i.stats.accesses;
    s->l1i_misses = m->l1i.stats.misses;
    s->l1i_prefetches = m->l1i.stats.prefetches;
    s->l1i_prefetches_used = m->l1i.stats.prefetches_used;
    s->l1d_accesses = m->l1d.stats.accesses;
    s->l1d_misses = m->l1d.stats.misses;
    s->l1d_merged = m->l1d.stats.merged;
    s->l1d_mshr_waits = m->l1d.stats.mshr_waits;
    s->l1d_prefetches = m->l1d.stats.prefetches;
    s->l1d_prefetches_used = m->l1d.stats.prefetches_used;
    s->occupancy_l1d_mshrs = cache_mshr_cycles(&m->l1d, now);
    s->l1d_writebacks = m->l1d.stats.writebacks;
    s->l2_accesses = m->l2.stats.accesses;
    s->l2_misses = m->l2.stats.misses;
    const struct cache *llc = hierarchy_llc(m);
    const struct dram *dram = hierarchy_dram(m);
    s->llc_accesses = llc != NULL ? llc->stats.accesses : 0;
    s->llc_misses = llc != NULL ? llc->stats.misses : 0;
    s->hitm = m->coherence.hitm;
    s->upgrades = m->coherence.upgrades;
    s->invalidations = m->coherence.invalidations;
    s->dram_reads = dram->reads;
    s->dram_writes = dram->writes;
    s->dram_row_hits = dram->row_hits;
    s->dram_row_conflicts = dram->row_conflicts;
    s->dram_bank_conflicts = dram->bank_conflicts;
    s->dram_wait = dram->wait_cycles;
    s->itlb_misses = m->itlb.misses;
    s->dtlb_misses = m->dtlb.misses;
    s->l2tlb_misses = m->l2tlb.misses;
    s->slots = s->retired + stats_slots_sum(s) - s->slots_handler;
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

uint64_t stats_slots_sum(const struct core_stats *s)
{
    return s->slots_squashed + s->slots_recovery + s->slots_frontend + s->slots_memory + s->slots_core +
           s->slots_handler;
}

uint64_t *stats_of_squash(struct core_stats *s, enum probe_cause cause)
{
    switch (cause) {
    case PROBE_CAUSE_MISPREDICT:
        return &s->squashed_mispredict;
    case PROBE_CAUSE_ORDERING:
        return &s->squashed_ordering;
    case PROBE_CAUSE_EXCEPTION:
        return &s->squashed_exception;
    case PROBE_CAUSE_SERIALISE:
        return &s->squashed_serialise;
    case PROBE_CAUSE_INTERRUPT:
        return &s->squashed_interrupt;
    case PROBE_CAUSE_NONE:
    case PROBE_CAUSE_COUNT:
        break;
    }
    BUG("squash without a cause");
}

uint64_t *stats_of_fetch_wait(struct core_stats *s, enum fetch_wait wait)
{
    uint64_t *by_wait[] = {&s->fetch_redirect, &s->fetch_btb, &s->fetch_itlb, &s->fetch_icache, &s->fetch_handler};
    return by_wait[wait];
}

static double ratio(uint64_t a, uint64_t b) { return b != 0 ? (double)a / (double)b : 0; }

static void stats_print_line(FILE *out, const char *name, double value, int places, const char *unit, const char *event,
                             const char *help)
{
    bool named = event[0] != '\0';
    fprintf(out, "%-26s %20.*f %-13s # %s%s%s%s\n", name, places, value, unit, help, named ? " (" : "", event,
            named ? ")" : "");
}

static void stats_print_part(const struct core_stats *s, FILE *out, const char *name, uint64_t value, const char *help)
{
    fprintf(out, "%-26s %20" PRIu64 " %-13s # %5.1f %% %s\n", name, value, "cycles", 100 * ratio(value, s->cycles),
            help);
}

void stats_print(const struct core_stats *s, FILE *out)
{
#define STAT(name, unit, event, help) stats_print_line(out, #name, (double)s->name, 0, unit, event, help);
#define STACK(name, help) stats_print_part(s, out, #name, s->name, help);
#define FETCH(name, help) STACK(name, help)
#define OCCUPANCY(name, help) stats_print_line(out, #name, ratio(s->name, s->cycles), 4, "entries", "", help);
#include "core-model/stats.def"
#define FIGURE(name, unit, metric, scale, numerator, denominator, help) \
    stats_print_line(out, #name, scale *ratio(numerator, denominator), 4, unit, metric, help);
#include "core-model/figures.def"
}

void stats_write_json(const struct core_stats *s, struct json_stream *out)
{
#define STAT(name, unit, event, help) json_stream_count(out, #name, s->name);
#define OCCUPANCY(name, help) json_stream_decimals(out, #name, ratio(s->name, s->cycles), 6);
#include "core-model/stats.def"
#define FIGURE(name, unit, metric, scale, numerator, denominator, help) \
    json_stream_decimals(out, #name, scale *ratio(numerator, denominator), 6);
#include "core-model/figures.def"
}

uint64_t *stats_slots_of_stack(struct core_stats *s, const uint64_t *stack)
{
    if (stack == &s->stack_mispredict || stack == &s->stack_exception)
        return &s->slots_recovery;
    if (stack == &s->stack_icache || stack == &s->stack_frontend || stack == &s->stack_flush)
        return &s->slots_frontend;
    if (stack == &s->stack_int || stack == &s->stack_fp || stack == &s->stack_serial)
        return &s->slots_core;
    return stack == &s->stack_handler ? &s->slots_handler : &s->slots_memory;
}

uint64_t *stats_stall_of_unit(struct core_stats *s, enum rv_unit unit)
{
    switch (unit) {
    case RV_UNIT_STORE:
        return &s->stack_store;
    case RV_UNIT_AMO:
    case RV_UNIT_SYSTEM:
        return &s->stack_serial;
    default:
        return rv_unit_is_fp(unit) ? &s->stack_fp : &s->stack_int;
    }
}

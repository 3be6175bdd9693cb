/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `conflicts`: misses of loads in the L1 data cache that a fully associative cache of the same
 * capacity, with LRU replacement, does not have (the definition of a conflict miss: Hill, 1987), with the load that had
 * evicted the line (co-processor paper, section 4, cache conflict profiling).
 *
 * The fully associative cache is accessed in program order by retiring loads and stores; the actual cache is accessed
 * in issue order, also by wrong-path loads and the prefetcher. So the load that has brought a line may be younger than
 * the one that enters it into the fully associative cache: it hits there, but its miss is no conflict. An access that
 * crosses a line counts for its first line. */
#include <stdlib.h>
#include <utlist.h>

#include "base/hash.h"
#include "base/status.h"
#include "core-model/prof/exact/exact_counter.h"

/* A line that has been accessed or evicted. */
struct cached_line {
    uint64_t number;                 /* address / size */
    uint64_t accessed;               /* cycle of the access that inserted it into the fully associative cache */
    uint64_t evictor;                /* address of the load that evicted it from the L1; 0: none since its last fill */
    bool resident;                   /* in the fully associative cache */
    struct cached_line *prev, *next; /* links of the resident lines, least recently used first */
    UT_hash_handle hh;
};

struct conflicts {
    struct exact_counter counter;
    struct cached_line *lines;    /* owned; a uthash table by number */
    struct cached_line *resident; /* utlist */
    uint32_t residents, capacity, line_bytes;
};

static struct cached_line *exact_conflicts_line_at(struct conflicts *c, uint64_t address)
{
    uint64_t number = address / c->line_bytes;
    struct cached_line *l;
    HASH_FIND(hh, c->lines, &number, sizeof number, l);
    if (l == NULL) {
        l = xcalloc(1, sizeof *l);
        l->number = number;
        HASH_ADD(hh, c->lines, number, sizeof l->number, l);
    }
    return l;
}

/* Makes the line the most recently used one, by an access to the actual cache in `cycle`. Returns whether it was
 * resident before, in that order. */
static bool access_line(struct conflicts *c, struct cached_line *l, uint64_t cycle)
{
    bool hit = l->resident && l->accessed <= cycle;
    if (l->resident) {
        DL_DELETE(c->resident, l);
    } else {
        l->resident = true;
        l->accessed = cycle;
        c->residents++;
    }
    DL_APPEND(c->resident, l);
    if (c->residents > c->capacity) {
        struct cached_line *oldest = c->resident;
        DL_DELETE(c->resident, oldest);
        oldest->resident = false;
        c->residents--;
    }
    return hit;
}

static void exact_conflicts_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct conflicts *c = ctx;
    if (in->outcome->mem_bytes == 0)
        return;
    struct cached_line *l = exact_conflicts_line_at(c, in->outcome->ea);
    /* A store writes after it has retired; samples of a file have no issue. */
    const bool by_retire = in->outcome->wrote_mem || in->stage_cycle[PROBE_ISSUED] == 0;
    const bool hit = access_line(c, l, by_retire ? cycle : in->stage_cycle[PROBE_ISSUED]);
    /* A miss without an eviction fills an empty way or merges with an outstanding miss. */
    if (in->outcome->wrote_mem || (in->events & PROBE_DCACHE_MISS) == 0 || in->evicted == 0)
        return;
    struct exact_row *row = exact_table_at(&c->counter.table, in->pc, l->evictor, 0);
    row->count[hit ? EXACT_CONFLICTS_CONFLICTS : EXACT_CONFLICTS_OTHERS]++;
    l->evictor = 0;
    exact_conflicts_line_at(c, in->evicted)->evictor = in->pc;
}

static void set_geometry(struct conflicts *c, const struct core_config *config)
{
    c->line_bytes = config->line_bytes;
    c->capacity = config->l1d_bytes / config->line_bytes;
}

static void exact_conflicts_attach(struct observer *o, struct core *core)
{
    set_geometry((struct conflicts *)o, core_configuration(core));
}

static void exact_conflicts_release(struct observer *o)
{
    struct conflicts *c = (struct conflicts *)o;
    struct cached_line *l, *next;
    HASH_ITER (hh, c->lines, l, next) {
        HASH_DEL(c->lines, l);
        free(l);
    }
    exact_counter_release(o);
}

const struct observer_kind observer_exact_conflicts = {
    .name = "exact-conflicts",
    .attach = exact_conflicts_attach,
    .release = exact_conflicts_release,
};

static struct observer *exact_conflicts_create(const struct exact_setup *setup)
{
    const uint32_t stores = 1u << OPCLASS_STORE | 1u << OPCLASS_FSTORE;
    struct conflicts *c = exact_counter_new(sizeof *c, &observer_exact_conflicts, setup->classes | stores,
                                            exact_conflicts_retired);
    struct core_config config;
    c->counter.base.probe.extras = PROBE_EXTRA_evicted;
    c->counter.base.probe.cycles = 1u << PROBE_ISSUED;
    core_config_default(&config);
    set_geometry(c, &config);
    return &c->counter.base;
}

const struct exact_ops exact_conflicts_ops = {.create = exact_conflicts_create, .rows = exact_counter_rows};

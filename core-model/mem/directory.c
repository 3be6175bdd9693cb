/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/mem/directory.h"

#include <stdlib.h>

#include "base/status.h"
#include "core-model/mem/hierarchy.h"

/* The directory's part of a line of the last-level cache. */
struct directory_entry {
    uint64_t above;      /* number of the line in the L1 caches, which have virtual addresses */
    uint64_t busy_until; /* arrival of the line at the hart that requested it last */
    uint8_t busy_by;     /* that hart */
    bool busy_writing;   /* it may write */
    uint8_t sharers;     /* bit per hart that may have a copy */
};

struct directory {
    struct cache *llc; /* borrowed */
    struct directory_entry *entry;
    struct hierarchy *hart[SAMPLE_HARTS_MAX]; /* borrowed */
    unsigned harts;
    uint32_t transfer_cycles, invalidate_cycles;
};

/* A line's copies in the private caches of a hart, NULL where absent. */
struct copies {
    struct cache_line *line[3];
};

static struct copies copies_of(const struct hierarchy *h, uint64_t above, uint64_t number)
{
    return (struct copies){{cache_find(&h->l1d, above), cache_find(&h->l1i, above), cache_find(&h->l2, number)}};
}

static uint64_t above_of(const struct directory *d, uint64_t addr) { return addr >> d->llc->line_bits; }

/* The line's number in the caches below L1. */
static uint64_t directory_number_of(const struct directory *d, uint64_t addr)
{
    const struct placement *p = d->hart[0]->l1d.placement;
    return (p != NULL ? placement_physical(p, addr) : addr) >> d->llc->line_bits;
}

static struct directory_entry *directory_entry_of(const struct directory *d, const struct cache_line *l)
{
    return &d->entry[l - d->llc->line];
}

/* Invalidates a hart's copies; returns whether one was dirty. */
static bool invalidate(struct hierarchy *h, uint64_t above, uint64_t number)
{
    struct copies c = copies_of(h, above, number);
    bool dirty = false, any = false;
    for (int n = 0; n < 3; n++)
        if (c.line[n] != NULL) {
            dirty |= c.line[n]->dirty;
            any = true;
            c.line[n]->tag = CACHE_NO_LINE;
            c.line[n]->dirty = false;
        }
    h->coherence.invalidations += any;
    return dirty;
}

/* Takes the right to write from a hart's copies; returns whether one was dirty. */
static bool directory_share(struct hierarchy *h, uint64_t above, uint64_t number)
{
    struct copies c = copies_of(h, above, number);
    bool dirty = false;
    for (int n = 0; n < 3; n++)
        if (c.line[n] != NULL) {
            dirty |= c.line[n]->dirty;
            c.line[n]->shared = true;
            c.line[n]->dirty = false;
        }
    return dirty;
}

static bool directory_holds(const struct hierarchy *h, uint64_t above, uint64_t number)
{
    struct copies c = copies_of(h, above, number);
    return c.line[0] != NULL || c.line[1] != NULL || c.line[2] != NULL;
}

/* The last-level cache evicts a line: all harts lose it. Returns whether a copy was dirty. */
static bool evicted(void *ctx, size_t index, uint64_t number)
{
    struct directory *d = ctx;
    struct directory_entry *e = &d->entry[index];
    bool dirty = false;
    for (unsigned n = 0; n < d->harts; n++)
        if (e->sharers >> n & 1)
            dirty |= invalidate(d->hart[n], e->above, number);
    *e = (struct directory_entry){0};
    return dirty;
}

struct directory *directory_new(struct hierarchy *first, uint32_t transfer_cycles, uint32_t invalidate_cycles)
{
    struct directory *d = xcalloc(1, sizeof *d);
    d->llc = &first->llc;
    d->entry = xcalloc(((size_t)first->llc.set_mask + 1) * first->llc.ways, sizeof *d->entry);
    d->transfer_cycles = transfer_cycles;
    d->invalidate_cycles = invalidate_cycles;
    d->llc->evicted = evicted;
    d->llc->evicted_ctx = d;
    return d;
}

void directory_free(struct directory *d)
{
    if (d == NULL)
        return;
    free(d->entry);
    free(d);
}

/* Enters the lines that the caches of hart `n` have. Those that the last-level cache lacks are dropped. */
static void adopt(struct directory *d, unsigned n, struct cache *c, bool is_l1)
{
    for (size_t i = 0; i < ((size_t)c->set_mask + 1) * c->ways; i++) {
        struct cache_line *l = &c->line[i];
        if (l->tag == CACHE_NO_LINE)
            continue;
        struct cache_line *below = cache_find(d->llc, is_l1 ? directory_number_of(d, l->tag << c->line_bits) : l->tag);
        if (below == NULL) {
            l->tag = CACHE_NO_LINE;
            continue;
        }
        struct directory_entry *e = directory_entry_of(d, below);
        e->sharers |= (uint8_t)(1u << n);
        if (is_l1)
            e->above = l->tag;
    }
}

unsigned directory_join(struct directory *d, struct hierarchy *h)
{
    const unsigned n = d->harts;
    if (n == SAMPLE_HARTS_MAX)
        BUG("more than %d harts", SAMPLE_HARTS_MAX);
    d->hart[d->harts++] = h;
    adopt(d, n, &h->l1d, true);
    adopt(d, n, &h->l1i, true);
    adopt(d, n, &h->l2, false);
    return n;
}

/* The hart's copy in `l1` or L2, or NULL. */
static const struct cache_line *own_copy(const struct directory *d, unsigned n, const struct cache *l1, uint64_t addr)
{
    const struct cache_line *own = cache_find(l1, above_of(d, addr));
    return own != NULL ? own : cache_find(&d->hart[n]->l2, directory_number_of(d, addr));
}

uint64_t directory_busy_until(const struct directory *d, unsigned n, const struct cache *l1, uint64_t addr,
                              bool is_write, uint64_t now)
{
    const struct cache_line *own = own_copy(d, n, l1, addr);
    if (own != NULL && !(is_write && own->shared))
        return 0;
    const struct cache_line *l = cache_find(d->llc, directory_number_of(d, addr));
    if (l == NULL)
        return 0;
    const struct directory_entry *e = directory_entry_of(d, l);
    return e->busy_by != n && e->busy_until > now && (is_write || e->busy_writing) ? e->busy_until : 0;
}

struct directory_wait directory_request(struct directory *d, unsigned n, const struct cache *l1, uint64_t addr,
                                        bool is_write)
{
    struct hierarchy *self = d->hart[n];
    const uint64_t number = directory_number_of(d, addr);
    const struct cache_line *own = own_copy(d, n, l1, addr);
    struct directory_wait wait = {0};
    if (own != NULL && !(is_write && own->shared))
        return wait;
    wait.is_asked = true;
    struct cache_line *l = cache_find(d->llc, number);
    if (l == NULL)
        return wait;
    struct directory_entry *e = directory_entry_of(d, l);
    bool dirty = false, asked = false;
    for (unsigned k = 0; k < d->harts; k++) {
        if (k == n || !(e->sharers >> k & 1) || !directory_holds(d->hart[k], e->above, number))
            continue;
        asked = true;
        dirty |= is_write ? invalidate(d->hart[k], e->above, number) : directory_share(d->hart[k], e->above, number);
    }
    if (is_write)
        e->sharers &= (uint8_t)(1u << n);
    l->dirty |= dirty;
    wait.transfer = dirty;
    wait.upgrade = own != NULL;
    wait.cycles = dirty ? d->transfer_cycles : asked && is_write ? d->invalidate_cycles : 0;
    if (wait.upgrade)
        wait.cycles += self->l2.hit_cycles + d->llc->hit_cycles;
    self->coherence.hitm += wait.transfer;
    self->coherence.upgrades += wait.upgrade;
    return wait;
}

static bool others_hold(const struct directory *d, unsigned n, const struct directory_entry *e, uint64_t number)
{
    for (unsigned k = 0; k < d->harts; k++)
        if (k != n && (e->sharers >> k & 1) && directory_holds(d->hart[k], e->above, number))
            return true;
    return false;
}

void directory_grant(struct directory *d, unsigned n, struct cache *l1, uint64_t addr, bool is_write,
                     const struct directory_wait *wait, struct cache_result *r)
{
    const uint64_t above = above_of(d, addr), number = directory_number_of(d, addr);
    struct cache_line *l = cache_find(d->llc, number);
    struct cache_line *own[] = {cache_find(l1, above), cache_find(&d->hart[n]->l2, number)};
    if (l == NULL)
        return; /* with perfect caches nothing is filled */
    struct directory_entry *e = directory_entry_of(d, l);
    e->above = above;
    e->sharers |= (uint8_t)(1u << n);
    /* A line filled from a shared copy in L2 is shared, although the other harts may have evicted theirs since. */
    bool shared = !is_write && (others_hold(d, n, e, number) || (own[1] != NULL && own[1]->shared));
    for (int k = 0; k < 2; k++) {
        if (own[k] == NULL)
            continue;
        own[k]->shared = is_write ? false : own[k]->shared || shared;
        if (!wait->upgrade)
            own[k]->fill_cycle += wait->cycles;
    }
    r->done += wait->cycles;
    if (wait->upgrade)
        r->level = MEM_LEVEL_LLC;
    if (wait->is_asked) {
        e->busy_until = r->done;
        e->busy_by = (uint8_t)n;
        e->busy_writing = is_write;
    }
}

bool directory_is_elsewhere(const struct directory *d, unsigned n, uint64_t addr)
{
    const uint64_t number = directory_number_of(d, addr);
    const struct cache_line *l = cache_find(d->llc, number);
    return l != NULL && others_hold(d, n, directory_entry_of(d, l), number);
}

/* Checks a line of the last-level cache against the private copies. */
static void check_line(const struct directory *d, const struct cache_line *l)
{
    const struct directory_entry *e = directory_entry_of(d, l);
    unsigned owners = 0, holders = 0;
    for (unsigned n = 0; n < d->harts; n++) {
        struct copies c = copies_of(d->hart[n], e->above, l->tag);
        bool has = false, may_write = false;
        for (int k = 0; k < 3; k++) {
            has |= c.line[k] != NULL;
            may_write |= c.line[k] != NULL && !c.line[k]->shared;
            if (c.line[k] != NULL && c.line[k]->shared && c.line[k]->dirty)
                BUG("hart %u: line %#llx is shared and dirty", n, (unsigned long long)l->tag);
        }
        if (c.line[0] != NULL && c.line[2] != NULL && !c.line[0]->shared && c.line[2]->shared)
            BUG("hart %u: L1 may write to line %#llx, which is shared in L2", n, (unsigned long long)l->tag);
        holders += has && (e->sharers >> n & 1);
        owners += may_write && (e->sharers >> n & 1);
    }
    if (owners > 0 && holders > 1)
        BUG("line %#llx: %u harts have it and %u may write to it", (unsigned long long)l->tag, holders, owners);
}

void directory_check(const struct directory *d)
{
    const struct cache *llc = d->llc;
    for (size_t i = 0; i < ((size_t)llc->set_mask + 1) * llc->ways; i++)
        if (llc->line[i].tag != CACHE_NO_LINE)
            check_line(d, &llc->line[i]);
    for (unsigned n = 0; n < d->harts; n++) {
        const struct cache *l2 = &d->hart[n]->l2;
        for (size_t i = 0; i < ((size_t)l2->set_mask + 1) * l2->ways; i++) {
            const struct cache_line *l = &l2->line[i];
            const struct cache_line *below = l->tag != CACHE_NO_LINE ? cache_find(llc, l->tag) : NULL;
            if (l->tag != CACHE_NO_LINE && l->dirty && below == NULL)
                BUG("hart %u: dirty line %#llx is not in the last-level cache", n, (unsigned long long)l->tag);
        }
    }
}

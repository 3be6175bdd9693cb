/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of partitions. */
#include "host/driver/value/value_partition.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static void value_partition_append(struct partitions *p, uint16_t mask, uint16_t match, const struct value_mask *known)
{
    if (p->count == p->room) {
        p->room = p->room ? 2 * p->room : 4;
        p->list = xrealloc(p->list, p->room * sizeof *p->list);
    }
    p->list[p->count++] = (struct partition){.mask = mask, .match = match, .known = *known, .refill = true};
    p->open++;
}

static void remove_current(struct partitions *p)
{
    struct partition *c = &p->list[p->current];
    memmove(c, c + 1, (p->count - p->current - 1) * sizeof *c);
    p->count--;
    p->open--;
}

void partitions_init(struct partitions *p, uint16_t mask, uint16_t match, const struct value_mask *known)
{
    *p = (struct partitions){0};
    value_partition_append(p, mask, match, known);
}

void partitions_fini(struct partitions *p) { free(p->list); }

struct partition *partitions_current(const struct partitions *p) { return &p->list[p->current]; }

struct partition *partitions_of(const struct partitions *p, uint32_t hash)
{
    for (unsigned i = 0; i < p->count; i++)
        if ((hash & p->list[i].mask) == p->list[i].match)
            return &p->list[i];
    return NULL;
}

/* The lowest hash bit that is not in `mask`, or 0. */
static uint16_t free_bit(uint16_t mask) { return (uint16_t)(~mask & (mask + 1)); }

bool partitions_split(struct partitions *p, unsigned ways)
{
    struct partition old = p->list[p->current];
    uint16_t one = free_bit(old.mask), two = free_bit(old.mask | one);
    if (one == 0)
        return false;
    if (two == 0)
        ways = 2;
    remove_current(p);
    p->splits++;
    uint16_t mask = (uint16_t)(old.mask | one | (ways == 4 ? two : 0));
    value_mask_clear(&old.known);
    for (unsigned part = 0; part < ways; part++)
        value_partition_append(p, mask, (uint16_t)(old.match | (part & 1 ? one : 0) | (part & 2 ? two : 0)),
                               &old.known);
    p->current = p->count - ways;
    return true;
}

void partitions_refilled(struct partitions *p)
{
    for (unsigned i = 0; i < p->count; i++)
        p->list[i].refill = false;
}

void partitions_leave(struct partitions *p, double expected)
{
    p->list[p->current].visited = true;
    p->list[p->current].expected = expected;
}

void partitions_finish(struct partitions *p)
{
    p->list[p->current].finished = true;
    p->open--;
}

void partitions_resume(struct partitions *p)
{
    for (unsigned i = 0; i < p->count; i++)
        p->list[i].finished = false;
    p->open = p->count;
}

void partitions_reopen(struct partitions *p)
{
    for (unsigned i = 0; i < p->count; i++) {
        struct partition *part = &p->list[i];
        value_mask_clear(&part->known);
        part->hidden_from = 0;
        if (part->finished)
            *part = (struct partition){.mask = part->mask, .match = part->match, .known = part->known};
    }
    p->open = p->count;
}

/* Whether a is visited before b. In a tie, the one that has waited longer is first. */
static bool goes_before(const struct partition *a, const struct partition *b)
{
    if (a->finished || b->finished)
        return !a->finished && b->finished;
    if (!a->visited || !b->visited)
        return !a->visited && b->visited;
    double x = a->expected * (1.0 + a->waited), y = b->expected * (1.0 + b->waited);
    return x > y || (x == y && a->waited > b->waited);
}

bool partitions_next(struct partitions *p)
{
    unsigned best = 0;
    for (unsigned i = 1; i < p->count; i++)
        if (goes_before(&p->list[i], &p->list[best]))
            best = i;
    for (unsigned i = 0; i < p->count; i++)
        p->list[i].waited = i == best ? 0 : p->list[i].waited + 1;
    p->current = best;
    return p->open > 0;
}

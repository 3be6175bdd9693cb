/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/driver/value/value_visits.h"

#include <stdlib.h>

#include "base/status.h"

void value_visits_fini(struct value_visits *v)
{
    for (unsigned i = 0; i < v->count; i++)
        free(v->list[i].part);
    free(v->list);
}

static struct value_part *find_part(const struct value_visit *v, uint32_t value)
{
    for (unsigned i = 0; i < v->parts; i++)
        if (v->part[i].value == value)
            return &v->part[i];
    return NULL;
}

static void value_visit_add(struct value_visit *v, const struct value_part *p)
{
    struct value_part *to = find_part(v, p->value);
    if (to == NULL) {
        if (v->parts == v->room) {
            v->room = v->room != 0 ? 2 * v->room : 1;
            v->part = xrealloc(v->part, v->room * sizeof *v->part);
        }
        to = &v->part[v->parts++];
        *to = (struct value_part){.value = p->value};
    }
    to->hits += p->hits;
    to->misses += p->misses;
    to->rest += p->rest;
    v->weight += p->hits + p->misses + p->rest;
}

/* Combines each entry with the next one. */
static void value_visits_halve(struct value_visits *v)
{
    for (unsigned i = 0; i < v->count / 2; i++) {
        struct value_visit *from = &v->list[2 * i + 1];
        for (unsigned p = 0; p < from->parts; p++)
            value_visit_add(&v->list[2 * i], &from->part[p]);
        free(from->part);
        v->list[i] = v->list[2 * i];
    }
    v->count /= 2;
    v->batch *= 2;
}

void value_visits_begin(struct value_visits *v)
{
    v->total++;
    if (v->count != 0 && v->last < v->batch) {
        v->last++;
        return;
    }
    if (v->list == NULL) {
        v->list = xcalloc(VALUE_VISITS_MAX, sizeof *v->list);
        v->batch = 1;
    }
    if (v->count == VALUE_VISITS_MAX)
        value_visits_halve(v);
    v->list[v->count++] = (struct value_visit){0};
    v->last = 1;
}

void value_visits_add(struct value_visits *v, uint32_t value, double hits, double misses, double rest)
{
    value_visit_add(&v->list[v->count - 1],
                    &(struct value_part){.value = value, .hits = hits, .misses = misses, .rest = rest});
}

struct value_part value_visit_part(const struct value_visit *v, uint32_t value)
{
    const struct value_part *p = find_part(v, value);
    return p != NULL ? *p : (struct value_part){.value = value};
}

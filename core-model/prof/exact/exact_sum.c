/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An exact reference of several harts: the sums of the counts of their observers. */
#include <stdlib.h>

#include "core-model/prof/exact/exact.h"
#include "core-model/prof/exact/exact_table.h"

static void exact_sum_add(struct exact_table *t, const struct exact_row *r)
{
    struct exact_row *sum = exact_table_at(t, r->key[0], r->key[1], r->key[2]);
    for (unsigned k = 0; k < EXACT_COUNTS; k++)
        sum->count[k] += r->count[k];
}

static void leave_out(struct exact_table *t, const struct exact_row *r)
{
    struct exact_row *sum = exact_table_at(t, r->key[0], r->key[1], r->key[2]);
    for (unsigned k = 0; k < EXACT_COUNTS; k++)
        sum->count[k] -= r->count[k] < sum->count[k] ? r->count[k] : sum->count[k];
}

static bool is_empty(const struct exact_row *r)
{
    uint64_t any = 0;
    for (unsigned k = 0; k < EXACT_COUNTS; k++)
        any |= r->count[k];
    return any == 0;
}

static size_t exact_sum_remove_empty(struct exact_row *rows, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!is_empty(&rows[i]))
            rows[kept++] = rows[i];
    return kept;
}

static size_t sum_rows(void *ctx, struct exact_row **rows)
{
    const struct exact_sum *s = ctx;
    struct exact_table t = {0};
    if (s->harts == 1 && s->before == NULL)
        return exact_source(s->reference, s->of[0]).rows(s->of[0], rows);
    for (unsigned n = 0; n < s->harts; n++) {
        struct exact_source source = exact_source(s->reference, s->of[n]);
        struct exact_row *part;
        size_t count = source.rows(source.ctx, &part);
        for (size_t i = 0; i < count; i++)
            exact_sum_add(&t, &part[i]);
        free(part);
    }
    for (size_t i = 0; i < s->rows_before; i++)
        leave_out(&t, &s->before[i]);
    size_t count = exact_table_copy(&t, rows);
    exact_table_fini(&t);
    return s->before != NULL ? exact_sum_remove_empty(*rows, count) : count;
}

struct exact_source exact_sum_source(struct exact_sum *s)
{
    return (struct exact_source){.reference = s->reference, .ctx = s, .rows = sum_rows};
}

void exact_sum_restart(struct exact_sum *s)
{
    exact_sum_fini(s);
    s->rows_before = sum_rows(s, &s->before);
}

void exact_sum_fini(struct exact_sum *s)
{
    free(s->before);
    s->before = NULL;
    s->rows_before = 0;
}

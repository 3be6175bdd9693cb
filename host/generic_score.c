/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/generic_score.h"

#include <math.h>

#include "isa/contract/sample.h"

static uint64_t times_taken(const struct truth_load *t)
{
    for (uint32_t v = 0; v < t->value_count; v++)
        if (t->values[v].value == 1)
            return t->values[v].count;
    return 0;
}

static uint64_t exact_count(unsigned format, const struct truth_load *t)
{
    switch (format) {
    case FORMAT_RETIRED:
        return t->count;
    case FORMAT_TAKEN:
        return times_taken(t);
    case FORMAT_UNTAKEN:
        return t->count - times_taken(t);
    default:
        return 0; /* no event */
    }
}

struct scoring {
    struct generic_score *score;
    struct generic_rows *rows;
    uint64_t exact; /* all of the layout's events */
};

static void score_instruction(void *arg, const struct truth_load *t)
{
    struct scoring *s = arg;
    const struct image_layout *l = s->rows->layout;
    struct generic_row *row = generic_rows_find(s->rows, sample_pc32(t->pc));
    s->score->instructions++;
    s->score->executions += t->count;
    s->score->executions_profiled += row != NULL ? t->count : 0;
    for (unsigned m = 0; m < l->members; m++) {
        uint64_t n = exact_count(l->member[m].format, t);
        s->exact += n;
        if (row != NULL)
            row->exact[m] = n;
    }
}

static uint64_t counted_events(const struct image_layout *l, const struct generic_row *r)
{
    uint64_t n = 0;
    for (unsigned m = 0; m < l->members; m++)
        n += image_format_is_event(l->member[m].format) ? r->member[m] : 0;
    return n;
}

double generic_estimated_events(const struct generic_score *s, const struct image_layout *l, const struct generic_row *r)
{
    return s->scale * (double)counted_events(l, r);
}

uint64_t generic_exact_events(const struct image_layout *l, const struct generic_row *r)
{
    uint64_t n = 0;
    for (unsigned m = 0; m < l->members; m++)
        n += r->exact[m];
    return n;
}

/* The shares that both agree on: from 0 to 1, or above 1 by a rounding error. What has no row agrees in nothing. */
static double agreement(const struct generic_rows *g, double counted, double exact)
{
    double sum = 0;
    for (const struct generic_row *r = g->rows; r != NULL; r = r->hh.next)
        for (unsigned m = 0; m < g->layout->members; m++) {
            if (!image_format_is_event(g->layout->member[m].format))
                continue;
            double p = (double)r->member[m] / counted, o = (double)r->exact[m] / exact;
            sum += p < o ? p : o;
        }
    return sum;
}

void generic_score_init(struct generic_score *score, struct generic_rows *g, const struct truth *taken, double scale)
{
    *score = (struct generic_score){.scale = scale};
    struct scoring s = {.score = score, .rows = g};
    uint64_t counted = 0;
    taken->loads(taken->ctx, score_instruction, &s);
    for (const struct generic_row *r = g->rows; r != NULL; r = r->hh.next)
        counted += counted_events(g->layout, r);
    if (s.exact != 0)
        score->error = counted != 0 ? fmax(0, 1 - agreement(g, (double)counted, (double)s.exact)) : 1;
}

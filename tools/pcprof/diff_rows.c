/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Means of two sets of runs, and whether they differ. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/pcprof/diff.h"

void diff_choose_error(struct diff *d)
{
    const struct run_values *v = &d->values;
    bool vary = true, exact = true, known = true;
    for (unsigned s = 0; s < 2; s++) {
        const struct diff_side *side = &d->side[s];
        vary = vary && side->end - side->first > 1 && run_values_vary(v, side->first, side->end);
        for (size_t n = side->first; n < side->end; n++) {
            exact = exact && v->run[n].source == PROFILE_EXACT;
            known = known && !isnan(v->run[n].per_sample);
        }
    }
    d->error = vary ? DIFF_FROM_RUNS : exact ? DIFF_NONE : known ? DIFF_FROM_SAMPLES : DIFF_UNKNOWN;
}

/* The mean of one side with its counting error, which is that of one sample if there are none. Copies of one
 * measurement have no more samples than one of them. */
static struct spread_mean diff_rows_count_samples(const struct diff *d, const struct diff_side *side,
                                                  const double *value)
{
    size_t runs = side->end - side->first;
    double counted = run_values_vary(&d->values, side->first, side->end) ? (double)runs : 1, per_sample = 0;
    struct spread_mean m = {.mean = spread_of(value, runs).mean, .freedom = (double)INFINITY};
    for (size_t n = side->first; n < side->end; n++)
        per_sample += d->values.run[n].per_sample / (double)runs;
    m.variance = fmax(m.mean * counted, per_sample) * per_sample / (counted * counted);
    if (isnan(per_sample))
        m.variance = (double)NAN;
    return m;
}

/* Compares values by run. What does not vary on either side has the counting error of its samples. */
static void diff_rows_compare(const struct diff *d, const double *const value[2], struct diff_row *row)
{
    struct spread_mean mean[2];
    double variance = 0;
    for (unsigned s = 0; s < 2; s++) {
        const struct value_spread spread = spread_of(value[s], d->side[s].end - d->side[s].first);
        mean[s] = spread_mean_of(&spread);
        variance += mean[s].variance;
    }
    for (unsigned s = 0; s < 2; s++) {
        if (d->error != DIFF_FROM_RUNS || variance == 0)
            mean[s] = diff_rows_count_samples(d, &d->side[s], value[s]);
        row->mean[s] = mean[s].mean;
    }
    row->absolute = spread_compare(&mean[0], &mean[1]);
    row->relative = spread_compare_relative(&mean[0], &mean[1]);
    row->adjusted = row->absolute.probability;
}

static double mean_of(const double *value, size_t count) { return spread_of(value, count).mean; }

struct diff_row diff_total(const struct diff *d)
{
    const struct run_values *v = &d->values;
    struct diff_row row = {0};
    double *estimate = xcalloc(v->runs, sizeof *estimate), *exact = xcalloc(v->runs, sizeof *exact);
    for (size_t n = 0; n < v->runs; n++) {
        estimate[n] = v->run[n].estimate;
        exact[n] = v->run[n].exact;
    }
    const struct diff_side *a = &d->side[0], *b = &d->side[1];
    diff_rows_compare(d, (const double *[]){estimate + a->first, estimate + b->first}, &row);
    row.exact = mean_of(exact + b->first, b->end - b->first) - mean_of(exact + a->first, a->end - a->first);
    free(estimate);
    free(exact);
    return row;
}

double diff_total_difference(const struct diff_row *total)
{
    const double rounding = 1e-9;
    double larger = fmax(fabs(total->mean[0]), fabs(total->mean[1]));
    return fabs(total->absolute.difference) > rounding * larger ? total->absolute.difference : (double)NAN;
}

struct diff_row diff_lengths(const struct diff *d)
{
    const struct run_values *v = &d->values;
    struct diff_row row = {0};
    struct spread_mean mean[2];
    double *cycles = xcalloc(v->runs, sizeof *cycles);
    for (size_t n = 0; n < v->runs; n++)
        cycles[n] = (double)v->run[n].cycles;
    for (unsigned s = 0; s < 2; s++) {
        const struct value_spread spread = spread_of(cycles + d->side[s].first, d->side[s].end - d->side[s].first);
        mean[s] = spread_mean_of(&spread);
        row.mean[s] = mean[s].mean;
    }
    row.absolute = spread_compare(&mean[0], &mean[1]);
    row.relative = spread_compare_relative(&mean[0], &mean[1]);
    row.exact = row.absolute.difference;
    row.adjusted = row.absolute.probability;
    free(cycles);
    return row;
}

/* Adjusts the probabilities of the rows that are shown: those with an estimate. */
static void diff_rows_adjust(struct diff_row *row, size_t count)
{
    double *probability = xcalloc(count + 1, sizeof *probability);
    for (size_t n = 0; n < count; n++)
        probability[n] = row[n].mean[0] != 0 || row[n].mean[1] != 0 ? row[n].adjusted : (double)NAN;
    spread_adjust(probability, count);
    for (size_t n = 0; n < count; n++)
        row[n].adjusted = probability[n];
    free(probability);
}

static int by_difference(const void *a, const void *b)
{
    const struct diff_row *x = a, *y = b;
    double dx = fabs(x->absolute.difference), dy = fabs(y->absolute.difference);
    if (dx != dy)
        return dx > dy ? -1 : 1;
    if (x->mean[0] != y->mean[0])
        return x->mean[0] > y->mean[0] ? -1 : 1;
    return run_values_compare_places(x->place, y->place);
}

struct diff_row *diff_rows(const struct diff *d)
{
    const struct run_values *v = &d->values;
    const struct diff_side *a = &d->side[0], *b = &d->side[1];
    struct diff_row *row = xcalloc(v->places + 1, sizeof *row);
    for (size_t n = 0; n < v->places; n++) {
        const struct run_place *p = v->place[n];
        row[n].place = p;
        diff_rows_compare(d, (const double *[]){p->estimate + a->first, p->estimate + b->first}, &row[n]);
        row[n].exact = d->has_exact ? mean_of(p->exact + b->first, b->end - b->first) -
                                          mean_of(p->exact + a->first, a->end - a->first)
                                    : (double)NAN;
    }
    diff_rows_adjust(row, v->places);
    qsort(row, v->places, sizeof *row, by_difference);
    return row;
}

bool diff_has_common_image(const struct diff *d)
{
    const struct run_values *v = &d->values;
    bool any[2] = {false, false};
    for (size_t a = 0; a < v->places; a++) {
        bool before = v->place[a]->estimate[d->side[0].first] > 0;
        any[0] = any[0] || before;
        any[1] = any[1] || v->place[a]->estimate[d->side[1].first] > 0;
        for (size_t b = 0; b < v->places && before; b++)
            if (strcmp(v->place[a]->image, v->place[b]->image) == 0 && v->place[b]->estimate[d->side[1].first] > 0)
                return true;
    }
    return !any[0] || !any[1];
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/region/shares.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"

struct region_shares region_shares_new(const struct region_plan *p)
{
    const size_t units = region_plan_chosen(p);
    return (struct region_shares){.plan = p, .units = units, .whole = xcalloc(units + 1, sizeof(double))};
}

void region_shares_release(struct region_shares *s)
{
    for (size_t n = 0; n < s->rows; n++)
        free(s->row[n].value);
    free(s->row);
    free(s->whole);
    *s = (struct region_shares){0};
}

void region_shares_add(struct region_shares *s, size_t row, struct region_shares_value value)
{
    while (s->rows <= row) {
        s->row = xgrow(s->row, s->rows, sizeof *s->row);
        s->row[s->rows++] = (struct region_shares_row){0};
    }
    struct region_shares_row *r = &s->row[row];
    if (r->values != 0 && r->value[r->values - 1].unit == value.unit) {
        r->value[r->values - 1].value += value.value;
        r->value[r->values - 1].variance += value.variance;
        return;
    }
    r->value = xgrow(r->value, r->values, sizeof *r->value);
    r->value[r->values++] = value;
}

/* Units of the run that a unit of each number stands for, times its value: squared sum over sum of squares. */
static double effective_units(const struct region_shares *s, const double *value)
{
    double sum = 0, squares = 0;
    size_t unit = 0;
    for (size_t k = 0; k < s->plan->strata; k++) {
        const struct region_stratum *stratum = &s->plan->stratum[k];
        const double weight = (double)stratum->units / (double)stratum->chosen;
        for (size_t i = 0; i < stratum->chosen; i++, unit++) {
            sum += weight * fabs(value[unit]);
            squares += weight * value[unit] * weight * value[unit];
        }
    }
    return squares > 0 ? sum * sum / squares : 0;
}

static bool is_whole_run(const struct region_plan *p)
{
    bool is_whole = true;
    for (size_t k = 0; k < p->strata; k++)
        is_whole = is_whole && p->stratum[k].chosen >= p->stratum[k].units;
    return is_whole;
}

/* The share of values that each unit has; `variance` NULL: they are exact. */
static struct region_share share_of(const struct region_shares *s, const double *value, const double *variance)
{
    const struct region_plan *p = s->plan;
    struct region_sample *sample = xcalloc(p->strata, sizeof *sample);
    size_t unit = 0;
    for (size_t k = 0; k < p->strata; k++) {
        const size_t count = p->stratum[k].chosen;
        sample[k] = (struct region_sample){
            .units = (double)p->stratum[k].units, .count = count, .y = value + unit, .x = s->whole + unit};
        for (size_t i = 0; variance != NULL && i < count; i++)
            sample[k].within += variance[unit + i];
        unit += count;
    }
    const struct region_estimate e = region_estimate(sample, p->strata, REGION_PRIOR_SPARSE, NULL);
    free(sample);
    const bool is_spread = effective_units(s, value) >= REGION_SHARES_LEAST || is_whole_run(p);
    return (struct region_share){
        .share = e.value, .has_interval = e.has_interval && is_spread && isfinite(e.half), .half = e.half};
}

double region_shares_total(const struct region_shares *s)
{
    double total = 0;
    size_t unit = 0;
    for (size_t k = 0; k < s->plan->strata; k++) {
        const struct region_stratum *stratum = &s->plan->stratum[k];
        for (size_t i = 0; i < stratum->chosen; i++, unit++)
            total += (double)stratum->units / (double)stratum->chosen * s->whole[unit];
    }
    return total;
}

struct region_share region_shares_estimate(const struct region_shares *s, size_t row)
{
    const struct region_shares_row *r = &s->row[row];
    double *value = xcalloc(2 * s->units + 1, sizeof *value), *variance = value + s->units;
    for (size_t n = 0; n < r->values; n++) {
        value[r->value[n].unit] = r->value[n].value;
        variance[r->value[n].unit] = r->value[n].variance;
    }
    struct region_share share = share_of(s, value, variance);
    share.units = r->values;
    free(value);
    return share;
}

struct region_shares region_shares_group(const struct region_shares *s, const size_t *of)
{
    struct region_shares sum = region_shares_new(s->plan);
    size_t *next = xcalloc(s->rows + 1, sizeof *next); /* value of each row */
    for (size_t unit = 0; unit < s->units; unit++) {
        sum.whole[unit] = s->whole[unit];
        for (size_t n = 0; n < s->rows; n++)
            if (next[n] < s->row[n].values && s->row[n].value[next[n]].unit == unit)
                region_shares_add(&sum, of[n], s->row[n].value[next[n]++]);
    }
    free(next);
    return sum;
}

struct region_share region_shares_unseen(const struct region_shares *s)
{
    double *alone = xcalloc(s->units + 1, sizeof *alone);
    for (size_t n = 0; n < s->rows; n++)
        if (s->row[n].values == 1)
            alone[s->row[n].value[0].unit] += s->row[n].value[0].value;
    struct region_share share = share_of(s, alone, NULL);
    for (size_t unit = 0; unit < s->units; unit++)
        share.units += alone[unit] != 0;
    free(alone);
    return share;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/region_report.h"

#include <math.h>
#include <stdlib.h>

#include "base/spread.h"

enum { LEAST_OF_STRATUM = 2 };
static const double interval_risk = 0.05;

bool region_read_percent(const char *text, double *share)
{
    char *end;
    const double percent = strtod(text, &end);
    *share = percent / 100;
    return end != text && *end == '\0' && percent > 0 && percent < 100;
}

bool region_is_percent(const char *text)
{
    double share;
    return region_read_percent(text, &share);
}

/* ---- outlook ---- */

/* Mean of x, or 1 without x: an interval of a ratio is that of the numerators, divided by it. */
static double mean_size(const struct region_samples *s)
{
    double sum = 0, units = 0;
    for (size_t k = 0; k < s->strata; k++) {
        const struct region_sample *sample = &s->sample[k];
        double x = 0;
        for (size_t i = 0; i < sample->count; i++)
            x += sample->x != NULL ? sample->x[i] : 1;
        sum += sample->units * x / (double)sample->count;
        units += sample->units;
    }
    return sum / units;
}

static size_t units_missing(const struct region_outlook *o, const struct region_plan *p, const struct region_samples *s)
{
    const struct region_estimate *e = &o->estimate;
    const double half = o->precision * e->value;
    if (o->precision == 0 || (e->has_interval && e->half <= half))
        return 0;
    double *units = xcalloc(p->strata, sizeof *units), *deviation = xcalloc(p->strata, sizeof *deviation);
    for (size_t k = 0; k < p->strata; k++) {
        units[k] = (double)p->stratum[k].units;
        deviation[k] = isfinite(o->deviation[k]) ? o->deviation[k] : 0;
    }
    const double t = spread_student_quantile(interval_risk, e->freedom),
                 needed = ceil(region_units_needed(units, deviation, p->strata, half * mean_size(s), t));
    free(units);
    free(deviation);
    /* The interval is too wide, so at least one is. */
    return needed > (double)o->chosen ? (size_t)needed - o->chosen : 1;
}

struct region_outlook region_outlook_of(const struct region_plan *p, const struct region_samples *s, double precision)
{
    struct region_outlook o = {
        .deviation = xcalloc(p->strata, sizeof *o.deviation), .precision = precision, .chosen = region_plan_chosen(p)};
    o.estimate = region_estimate(s->sample, s->strata, REGION_PRIOR_RELATIVE, o.deviation);
    if (p->method == REGION_SIMPOINT)
        o.estimate.has_interval = false;
    else
        o.more = units_missing(&o, p, s);
    return o;
}

void region_outlook_release(struct region_outlook *o) { free(o->deviation); }

void region_outlook_choose(const struct region_outlook *o, struct region_plan *p)
{
    double *deviation = xcalloc(p->strata, sizeof *deviation);
    for (size_t k = 0; k < p->strata; k++)
        deviation[k] = isfinite(o->deviation[k]) ? o->deviation[k] : 0;
    region_plan_choose(p, deviation, o->chosen + o->more, LEAST_OF_STRATUM);
    free(deviation);
}

/* ---- reports ---- */

static void region_report_run(struct report *r, const struct region_plan *p)
{
    uint64_t simulated = 0;
    for (size_t k = 0; k < p->strata; k++)
        for (size_t i = 0; i < p->stratum[k].chosen; i++)
            simulated += p->stratum[k].candidate[i].insns;
    report_count(r, "instructions", "run", p->insns, "instructions");
    report_count(r, "units", "units", p->units, NULL);
    report_unit(r, "units");
    report_count(r, "chosen", "chosen", region_plan_chosen(p), NULL);
    report_unit(r, "units");
    report_share(r, "simulated_share", "  of the run", (double)simulated / (double)p->insns, 3);
}

static void plan_columns(struct report_table *t, const struct region_plan *p, size_t k)
{
    const struct region_stratum *s = &p->stratum[k];
    REPORT_COLUMN(t, COUNT, (uint64_t)k, .member = "stratum", .title = "stratum", .plain = true);
    REPORT_COLUMN(t, COUNT, s->units, .member = "units", .title = "units", .unit = "units");
    REPORT_COLUMN(t, SHARE, (double)s->insns / (double)p->insns, .member = "share", .title = "run %", .decimals = 2,
                  .heat = true);
    REPORT_COLUMN(t, COUNT, (uint64_t)s->chosen, .member = "chosen", .title = "chosen", .unit = "units");
}

void region_report_plan(struct report *r, const struct region_plan *p)
{
    region_report_run(r, p);
    struct report_table *t = report_table(r, "strata", "Strata");
    report_whole(t);
    plan_columns(t, p, 0);
    for (size_t k = 0; k < p->strata; k++) {
        report_row(t);
        plan_columns(t, p, k);
    }
}

static double sample_value(const struct region_sample *s)
{
    double y = 0, x = 0;
    for (size_t i = 0; i < s->count; i++) {
        y += s->y[i];
        x += s->x != NULL ? s->x[i] : 1;
    }
    return y / x;
}

static void estimate_columns(struct report_table *t, const struct region_plan *p, const struct region_samples *s,
                             const struct region_outlook *o, size_t k, double size)
{
    plan_columns(t, p, k);
    REPORT_COLUMN(t, REAL, sample_value(&s->sample[k]), .member = "value", .title = "value", .decimals = 4);
    REPORT_COLUMN(t, REAL, o->deviation[k] / size, .member = "deviation", .title = "std-dev", .decimals = 4,
                  .absent = "-");
}

static void add_missing(struct report *r, const struct region_plan *p, const struct region_outlook *o)
{
    if (p->method == REGION_SIMPOINT)
        report_note(r, "One unit of each cluster has no interval: its distance from the cluster's mean is unknown.");
    if (o->precision == 0 || p->method == REGION_SIMPOINT)
        return;
    report_share(r, "precision", "precision", o->precision, 2);
    report_count(r, "more", "  more units", o->more, NULL);
    report_unit(r, "units");
}

void region_report_outlook(struct report *r, const struct region_plan *p, const struct region_samples *s,
                           const struct region_outlook *o, const char *key, const char *label)
{
    const struct region_estimate *e = &o->estimate;
    const double size = mean_size(s);
    region_report_run(r, p);
    report_real(r, key, label, e->value, 4, NULL);
    if (e->has_interval)
        report_interval(r, e->value - e->half, e->value + e->half);
    if (e->has_interval)
        report_share(r, "half_width", "  +-", e->half / e->value, 2);
    if (e->has_interval)
        report_real(r, "freedom", "  degrees of freedom", e->freedom, 1, NULL);
    add_missing(r, p, o);
    struct report_table *t = report_table(r, "strata", "Strata");
    report_whole(t);
    estimate_columns(t, p, s, o, 0, size);
    for (size_t k = 0; k < p->strata; k++) {
        report_row(t);
        estimate_columns(t, p, s, o, k, size);
    }
}

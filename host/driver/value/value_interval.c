/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/driver/value/value_interval.h"

#include <math.h>
#include <stdlib.h>

#include "base/spread.h"
#include "base/status.h"

static const struct {
    double prior_visits; /* weight of `correlation`, in visits */
    double between;      /* of what was not seen, over the number of visits */
    double certain;      /* shares below it or above 1 minus it have no spread */
} interval_rule = {.prior_visits = 4, .between = 0.03, .certain = 0.02};

/* The visits of a load, and what all its values need of them. */
struct value_intervals {
    const struct value_load *load;
    double *share;                   /* of each value, estimated */
    double weight;                   /* of all visits */
    double misses[VALUE_VISITS_MAX]; /* of each visit, per share of those that a miss can be */
    double rest[VALUE_VISITS_MAX];   /* of each visit */
};

/* What the visits say of one value, relative to the weight of all. */
struct value_evidence {
    double imputed;  /* not observed, in the estimate */
    double others;   /* samples before another value became active */
    double variance; /* of the mean of the visits */
};

static double misses_per_share(double misses, double share) { return share < 1 ? misses / (1 - share) : 0; }

static void value_intervals_init(struct value_intervals *s, const struct value_load *l)
{
    *s = (struct value_intervals){.load = l, .share = xcalloc(l->value_count, sizeof *s->share)};
    for (unsigned v = 0; v < l->value_count; v++)
        s->share[v] = value_estimate(l, v);
    for (unsigned i = 0; i < l->visited.count; i++) {
        const struct value_visit *visit = &l->visited.list[i];
        s->weight += visit->weight;
        for (unsigned n = 0; n < visit->parts; n++) {
            const struct value_part *part = &visit->part[n];
            const struct value_count *c = value_load_find(l, part->value);
            s->misses[i] += misses_per_share(part->misses, c != NULL ? s->share[c - l->values] : 0);
            s->rest[i] += part->rest;
        }
    }
}

static struct value_evidence value_evidence_of(const struct value_intervals *s, unsigned v)
{
    const struct value_visits *visits = &s->load->visited;
    double p = s->share[v], n = visits->count;
    struct value_evidence e = {0};
    for (unsigned i = 0; i < visits->count; i++) {
        const struct value_visit *visit = &visits->list[i];
        const struct value_part own = value_visit_part(visit, s->load->values[v].value);
        double imputed = value_replaced_share(p) * own.rest + p * (s->misses[i] - misses_per_share(own.misses, p)),
               difference = fmin(own.hits + imputed, visit->weight) - p * visit->weight;
        e.imputed += imputed;
        e.others += s->rest[i] - own.rest;
        e.variance += difference * difference;
    }
    e.imputed = fmin(p, e.imputed / s->weight);
    e.others /= s->weight;
    e.variance *= n / (n - 1) / (s->weight * s->weight);
    return e;
}

static bool has_visits(const struct value_load *l) { return !l->plain && l->visited.count >= 2; }

double value_interval_correlation(const struct value_profile *p)
{
    double between = 0, single = 0;
    for (const struct value_load *l = p->loads; l != NULL; l = l->hh.next) {
        struct value_intervals s;
        if (!has_visits(l))
            continue;
        value_intervals_init(&s, l);
        for (unsigned v = 0; v < l->value_count; v++)
            if (s.share[v] > interval_rule.certain && s.share[v] < 1 - interval_rule.certain) {
                between += l->visited.count * value_evidence_of(&s, v).variance;
                single += s.share[v] * (1 - s.share[v]);
            }
        free(s.share);
    }
    return single > 0 ? between / single : 1;
}

/* `student`: the quantile for the visits and those of the correlation. */
static struct interval interval_by_visits(const struct value_intervals *s, unsigned v, double correlation,
                                          double student)
{
    const struct value_evidence e = value_evidence_of(s, v);
    double n = s->load->visited.count, prior = interval_rule.prior_visits, p = s->share[v], single = p * (1 - p);
    double by_visits = student * student * (prior * correlation * single / n + (n - 1) * e.variance) / (n - 1 + prior),
           by_samples = INTERVAL_DEVIATIONS * INTERVAL_DEVIATIONS * single / (double)s->load->total;
    double error = sqrt(by_visits + by_samples), rest = REPLACED_SHARE * e.others, between = interval_rule.between / n;
    return (struct interval){.is_known = true,
                             .low = fmax(0, p - hypot(error, e.imputed) - between * p),
                             .high = fmin(1, p + hypot(error, rest) + between * (1 - p))};
}

/* The interval of a whole value: that of its low half times that of the high half among these. */
static struct interval interval_of_whole(struct interval low, const struct value_set *highs)
{
    if (highs->count == 0 || !low.is_known)
        return low;
    const unsigned best = (unsigned)(value_set_best(highs) - highs->list);
    const struct interval high = interval_of_share(value_set_estimate(highs, best), highs->total);
    return (struct interval){.is_known = high.is_known, .low = low.low * high.low, .high = low.high * high.high};
}

struct interval *value_intervals_of(const struct value_load *l, double correlation)
{
    struct interval *interval = xcalloc(l->value_count, sizeof *interval);
    struct value_intervals s;
    value_intervals_init(&s, l);
    double student = has_visits(l) ? spread_student_quantile(0.05, l->visited.count - 1 + interval_rule.prior_visits)
                                   : (double)NAN;
    for (unsigned v = 0; v < l->value_count; v++) {
        if (l->plain)
            interval[v] = interval_of_found((double)l->values[v].hits, (double)l->total);
        else if (has_visits(l))
            interval[v] = interval_by_visits(&s, v, correlation, student);
        interval[v] = interval_of_whole(interval[v], &l->values[v].highs);
    }
    free(s.share);
    return interval;
}

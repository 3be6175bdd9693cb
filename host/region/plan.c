/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/region/plan.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "host/region/stratified.h"

/* ---- strata ---- */

static struct region_plan plan_of(const struct region_vectors *v, const struct region_clusters *c, uint64_t seed)
{
    struct region_plan p = {.unit = v->unit[0].insns,
                            .units = v->count,
                            .insns = v->instructions,
                            .seed = seed,
                            .strata = c->k,
                            .stratum = xcalloc(c->k, sizeof *p.stratum)};
    for (size_t i = 0; i < v->count; i++) {
        p.stratum[c->of[i]].units++;
        p.stratum[c->of[i]].insns += v->unit[i].insns;
    }
    return p;
}

static struct region_candidate candidate_of(const struct region_unit *u)
{
    return (struct region_candidate){.first = u->first, .insns = u->insns};
}

/* Brings the first candidates of a stratum into random order, and forgets the others. */
static void draw(struct region_stratum *s, struct random *r)
{
    const size_t kept = s->candidates < REGION_CANDIDATES ? s->candidates : REGION_CANDIDATES;
    for (size_t i = 0; i < kept; i++) {
        const size_t other = i + random_bits(r) % (s->candidates - i);
        const struct region_candidate c = s->candidate[i];
        s->candidate[i] = s->candidate[other];
        s->candidate[other] = c;
    }
    s->candidates = kept;
    s->candidate = xrealloc(s->candidate, kept * sizeof *s->candidate);
}

struct region_plan region_plan_strata(const struct region_vectors *v, const struct region_clusters *c, uint64_t seed)
{
    struct region_plan p = plan_of(v, c, seed);
    struct random r = {.state = seed};
    for (size_t k = 0; k < p.strata; k++)
        p.stratum[k].candidate = xcalloc(p.stratum[k].units, sizeof(struct region_candidate));
    for (size_t i = 0; i < v->count; i++) {
        struct region_stratum *s = &p.stratum[c->of[i]];
        s->candidate[s->candidates++] = candidate_of(&v->unit[i]);
    }
    for (size_t k = 0; k < p.strata; k++)
        draw(&p.stratum[k], &r);
    return p;
}

struct region_plan region_plan_points(const struct region_vectors *v, const struct simpoints *s,
                                      const struct region_clusters *c, uint64_t seed)
{
    struct region_plan p = plan_of(v, c, seed);
    p.method = REGION_SIMPOINT;
    for (size_t i = 0; i < s->count; i++) {
        struct region_stratum *stratum = &p.stratum[s->point[i].cluster];
        stratum->candidate = xcalloc(1, sizeof *stratum->candidate);
        stratum->candidate[0] = candidate_of(&v->unit[s->point[i].unit]);
        stratum->candidates = stratum->chosen = 1;
    }
    return p;
}

void region_plan_release(struct region_plan *p)
{
    for (size_t k = 0; k < p->strata; k++)
        free(p->stratum[k].candidate);
    free(p->stratum);
    *p = (struct region_plan){0};
}

void region_plan_choose(struct region_plan *p, const double *deviation, size_t total, size_t least)
{
    double *units = xcalloc(p->strata, sizeof *units), *alike = xcalloc(p->strata, sizeof *alike);
    size_t *count = xcalloc(p->strata, sizeof *count);
    for (size_t k = 0; k < p->strata; k++) {
        const struct region_stratum *s = &p->stratum[k];
        units[k] = (double)s->units;
        alike[k] = 1;
        count[k] = s->chosen > least ? s->chosen : least;
    }
    region_allocate(units, deviation != NULL ? deviation : alike, p->strata, total, count);
    for (size_t k = 0; k < p->strata; k++) {
        struct region_stratum *s = &p->stratum[k];
        s->chosen = count[k] < s->candidates ? count[k] : s->candidates;
    }
    free(units);
    free(alike);
    free(count);
}

size_t region_plan_chosen(const struct region_plan *p)
{
    size_t sum = 0;
    for (size_t k = 0; k < p->strata; k++)
        sum += p->stratum[k].chosen;
    return sum;
}

double region_plan_weight(const struct region_plan *p, size_t stratum)
{
    const struct region_stratum *s = &p->stratum[stratum];
    return (double)s->insns / (double)p->insns / (double)s->chosen;
}

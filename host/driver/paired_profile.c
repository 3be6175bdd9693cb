/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/driver/paired_profile.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "host/driver/generic_profile.h"

struct paired {
    const struct paired_members *members;
    const struct paired_scale *scale;
    struct program_table slots; /* with the exact answers */
};

static struct program_overlap overlap_of(const struct paired *p, double fetched, double progress, double useful)
{
    return (struct program_overlap){.fetched = fetched,
                                    .progress = progress,
                                    .useful = useful,
                                    .wasted = p->scale->issue_width * progress - useful};
}

static struct program_overlap paired_profile_estimate(const struct paired *p, const struct generic_row *r)
{
    const struct paired_members *m = p->members;
    const double period = p->scale->samples.period;
    return overlap_of(p, period * r->scaled[m->samples] / 2, period * r->scaled[m->latency] / 2,
                      p->scale->window * period * r->scaled[m->useful]);
}

static double quotient(double part, double of) { return of > 0 ? part / of : (double)NAN; }

static void fill_numbers(struct program_number n[], uint64_t samples, const struct program_overlap *e,
                         const struct program_overlap *x)
{
    n[PAIRED_SAMPLES] = (struct program_number){.held = samples, .estimate = (double)samples, .exact = (double)NAN};
    n[PAIRED_FETCHED] = (struct program_number){.estimate = e->fetched, .exact = x->fetched};
    n[PAIRED_CYCLES] = (struct program_number){.estimate = quotient(e->progress, e->fetched),
                                               .exact = quotient(x->progress, x->fetched)};
    n[PAIRED_CONCURRENCY] = (struct program_number){.estimate = quotient(e->useful, e->progress),
                                                    .exact = quotient(x->useful, x->progress)};
    n[PAIRED_WASTED] = (struct program_number){.estimate = e->wasted, .exact = x->wasted};
}

ORDER(by_wasted, struct program_row, FALLING(number[PAIRED_WASTED].estimate) RISING(key))

static void fill_rows(struct program_table *t, const struct paired *p, const struct generic_rows *rows,
                      struct program_pairs *sums)
{
    const unsigned samples = p->members->samples, latency = p->members->latency, useful = p->members->useful;
    const struct program_member *m = p->slots.member;
    struct program_overlap sum = {0};
    struct program_row *row = t->row;
    for (const struct generic_row *r = rows->rows; r != NULL; r = r->hh.next, row++) {
        const struct program_number *n = p->slots.row[r->at].number;
        const struct program_overlap e = paired_profile_estimate(p, r),
                                     x = overlap_of(p, n[samples].exact, n[latency].exact, n[useful].exact);
        row->key = p->slots.row[r->at].key;
        fill_numbers(row->number, n[samples].held, &e, &x);
        sum.fetched += e.fetched;
        sum.progress += e.progress;
        sum.useful += e.useful;
    }
    qsort(t->row, t->rows, sizeof *t->row, by_wasted);
    sums->estimated = overlap_of(p, sum.fetched, sum.progress, sum.useful);
    sums->exact = overlap_of(p, m[samples].exact, m[latency].exact, m[useful].exact);
}

/* The share of the wasted slots attributed to the wrong instruction: 1 - sum of min(P, O). Negative estimates count
 * as 0. Unknown without the exact ones. */
static double misplaced(const struct program_table *t, double exact_all)
{
    double all = 0, agreement = 0;
    for (size_t i = 0; i < t->rows; i++)
        all += fmax(0, t->row[i].number[PAIRED_WASTED].estimate);
    for (size_t i = 0; i < t->rows && all > 0 && exact_all > 0; i++) {
        const struct program_number *n = &t->row[i].number[PAIRED_WASTED];
        agreement += fmin(fmax(0, n->estimate) / all, n->exact / exact_all);
    }
    return isnan(exact_all) ? exact_all : fmax(0, 1 - agreement);
}

/* The sums are those of the pairs: a mean has none. */
static void declare_table(struct program_table *t, const struct paired *p)
{
    static const char *const names[PAIRED_MEMBERS][2] = {[PAIRED_SAMPLES] = {"samples", NULL},
                                                         [PAIRED_FETCHED] = {"fetched", "times"},
                                                         [PAIRED_CYCLES] = {"cycles", "cycles"},
                                                         [PAIRED_CONCURRENCY] = {"concurrency", "slots in a cycle"},
                                                         [PAIRED_WASTED] = {"wasted", "slots"}};
    *t = (struct program_table){
        .name = "instructions", .key = FORMAT_PC, .scale = p->scale->samples, .members = PAIRED_MEMBERS};
    for (unsigned m = 0; m < PAIRED_MEMBERS; m++)
        t->member[m] = (struct program_member){.name = names[m][0],
                                               .unit = names[m][1],
                                               .format = FORMAT_COUNT,
                                               .has_estimate = true,
                                               .has_exact = p->slots.score.reference != NULL && m != PAIRED_SAMPLES,
                                               .estimated = (double)NAN,
                                               .exact = (double)NAN};
}

void paired_profile_fill(struct program_profile *profile, struct generic_rows *rows,
                         const struct paired_members *members, const struct paired_scale *scale,
                         const struct exact_source *exact)
{
    struct paired p = {.members = members, .scale = scale};
    struct program_pairs *sums = &profile->pairs;
    struct program_table *t = &profile->table[profile->tables++];
    generic_profile_fill(&p.slots, rows, exact, scale->samples);
    declare_table(t, &p);
    program_table_make_rows(t, p.slots.rows);
    fill_rows(t, &p, rows, sums);
    sums->issue_width = scale->issue_width;
    sums->error = misplaced(t, sums->exact.wasted);
    program_table_release(&p.slots);
}

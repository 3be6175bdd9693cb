/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/driver/paired_profile.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "host/driver/generic_profile.h"

struct paired_row {
    uint64_t key, samples;
    struct program_overlap estimated, exact;
};

struct paired {
    const struct paired_members *members;
    const struct paired_scale *scale;
    struct program_table slots; /* with the exact answers */
    struct paired_row *row;     /* by descending wasted slots */
};

static struct program_overlap overlap_of(const struct paired_scale *s, double fetched, double progress, double useful)
{
    return (struct program_overlap){
        .fetched = fetched, .progress = progress, .useful = useful, .wasted = s->issue_width * progress - useful};
}

static struct program_overlap paired_profile_estimate(const struct paired *p, const struct generic_row *r)
{
    const struct paired_members *m = p->members;
    const double period = p->scale->samples.period;
    return overlap_of(p->scale, period * r->scaled[m->samples] / 2, period * r->scaled[m->latency] / 2,
                      p->scale->window * period * r->scaled[m->useful]);
}

static struct program_overlap paired_profile_exact_of(const struct paired *p, const struct program_number *n)
{
    const struct paired_members *m = p->members;
    return overlap_of(p->scale, n[m->samples].exact, n[m->latency].exact, n[m->useful].exact);
}

static int by_wasted(const void *left, const void *right)
{
    const struct paired_row *a = left, *b = right;
    if (a->estimated.wasted != b->estimated.wasted)
        return a->estimated.wasted > b->estimated.wasted ? -1 : 1;
    return (a->key > b->key) - (a->key < b->key);
}

static void make_rows(struct paired *p, const struct generic_rows *rows, struct program_pairs *sums)
{
    const struct program_table *slots = &p->slots;
    struct program_overlap sum = {0};
    size_t n = 0;
    p->row = xcalloc(slots->rows, sizeof *p->row);
    for (const struct generic_row *r = rows->rows; r != NULL; r = r->hh.next) {
        struct paired_row *row = &p->row[n++];
        const struct program_row *slot = &slots->row[r->at];
        *row = (struct paired_row){.key = slot->key,
                                   .samples = r->member[p->members->samples],
                                   .estimated = paired_profile_estimate(p, r),
                                   .exact = paired_profile_exact_of(p, slot->number)};
        sum.fetched += row->estimated.fetched;
        sum.progress += row->estimated.progress;
        sum.useful += row->estimated.useful;
    }
    qsort(p->row, n, sizeof *p->row, by_wasted);
    const struct program_member *m = slots->member;
    sums->estimated = overlap_of(p->scale, sum.fetched, sum.progress, sum.useful);
    sums->exact = overlap_of(p->scale, m[p->members->samples].exact, m[p->members->latency].exact,
                             m[p->members->useful].exact);
}

/* The share of the wasted slots attributed to the wrong instruction: 1 - sum of min(P, O). Negative estimates count
 * as 0. */
static double misplaced(const struct paired *p, double exact_all)
{
    double all = 0, agreement = 0;
    for (size_t i = 0; i < p->slots.rows; i++)
        all += fmax(0, p->row[i].estimated.wasted);
    for (size_t i = 0; i < p->slots.rows && all > 0 && exact_all > 0; i++)
        agreement += fmin(fmax(0, p->row[i].estimated.wasted) / all, p->row[i].exact.wasted / exact_all);
    return fmax(0, 1 - agreement);
}

static double quotient(double part, double of) { return of > 0 ? part / of : (double)NAN; }

/* Fills in a row's numbers; of `exact` too, as the members tell. */
static void fill_numbers(struct program_number n[], const struct paired_row *row)
{
    const struct program_overlap *e = &row->estimated, *x = &row->exact;
    n[PAIRED_SAMPLES] = (struct program_number){
        .held = row->samples, .estimate = (double)row->samples, .exact = (double)NAN};
    n[PAIRED_FETCHED] = (struct program_number){.estimate = e->fetched, .exact = x->fetched};
    n[PAIRED_CYCLES] = (struct program_number){.estimate = quotient(e->progress, e->fetched),
                                               .exact = quotient(x->progress, x->fetched)};
    n[PAIRED_CONCURRENCY] = (struct program_number){.estimate = quotient(e->useful, e->progress),
                                                    .exact = quotient(x->useful, x->progress)};
    n[PAIRED_WASTED] = (struct program_number){.estimate = e->wasted, .exact = x->wasted};
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
    make_rows(&p, rows, sums);
    sums->issue_width = scale->issue_width;
    sums->error = exact != NULL ? misplaced(&p, sums->exact.wasted) : (double)NAN;
    program_table_make_rows(t, p.slots.rows);
    for (size_t i = 0; i < t->rows; i++) {
        t->row[i].key = p.row[i].key;
        fill_numbers(t->row[i].number, &p.row[i]);
    }
    free(p.row);
    program_table_release(&p.slots);
}

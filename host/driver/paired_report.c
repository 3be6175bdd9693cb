/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/driver/paired_report.h"

#include <math.h>
#include <stdlib.h>

#include "base/interval.h"
#include "host/driver/generic_score.h"
#include "isa/sample.h"

/* Quantities of one instruction, or of all. */
struct overlap {
    double fetched;  /* times */
    double progress; /* cycles */
    double useful;   /* issue slots that others used */
};

struct paired_row {
    uint32_t key;
    uint64_t samples;
    struct overlap estimated, exact;
    double wasted; /* issue slots */
};

struct paired {
    const struct paired_scale *scale;
    struct paired_row *row; /* by descending wasted slots */
    size_t rows;
    bool is_exact; /* exact values are known */
    struct paired_row total;
};

static double wasted(const struct paired *p, const struct overlap *o)
{
    return p->scale->issue_width * o->progress - o->useful;
}

/* Issue slots used by other instructions per cycle in progress. */
static double concurrency(const struct overlap *o) { return o->useful / o->progress; }

static struct overlap paired_report_estimate(const struct paired_scale *s, const struct generic_row *r,
                                             const struct paired_members *m)
{
    return (struct overlap){.fetched = s->period * r->scaled[m->samples] / 2,
                            .progress = s->period * r->scaled[m->latency] / 2,
                            .useful = s->window * s->period * r->scaled[m->useful]};
}

static struct overlap paired_report_exact_of(const uint64_t exact[], const struct paired_members *m)
{
    return (struct overlap){.fetched = (double)exact[m->samples],
                            .progress = (double)exact[m->latency],
                            .useful = (double)exact[m->useful]};
}

static void paired_report_add(struct overlap *sum, const struct overlap *o)
{
    sum->fetched += o->fetched;
    sum->progress += o->progress;
    sum->useful += o->useful;
}

static int by_wasted(const void *left, const void *right)
{
    const struct paired_row *a = left, *b = right;
    if (a->wasted != b->wasted)
        return a->wasted > b->wasted ? -1 : 1;
    return (a->key > b->key) - (a->key < b->key);
}

static void paired_report_fill(struct paired *p, struct generic_rows *rows, const struct paired_members *m,
                               const struct exact_source *exact)
{
    struct generic_score score;
    p->row = xcalloc(generic_rows_count(rows) + 1, sizeof *p->row);
    if (exact != NULL)
        generic_score_init(&score, rows, exact, p->scale->period);
    for (const struct generic_row *r = rows->rows; r != NULL; r = r->hh.next) {
        struct paired_row *row = &p->row[p->rows++];
        *row = (struct paired_row){.key = (uint32_t)r->identity.key,
                                   .samples = r->member[m->samples],
                                   .estimated = paired_report_estimate(p->scale, r, m),
                                   .exact = paired_report_exact_of(r->exact, m)};
        row->wasted = wasted(p, &row->estimated);
        p->total.samples += row->samples;
        paired_report_add(&p->total.estimated, &row->estimated);
    }
    if (exact != NULL)
        p->total.exact = (struct overlap){.fetched = (double)score.count[m->samples].exact,
                                          .progress = (double)score.count[m->latency].exact,
                                          .useful = (double)score.count[m->useful].exact};
    qsort(p->row, p->rows, sizeof *p->row, by_wasted);
}

/* The share of the wasted slots attributed to the wrong instruction: 1 - sum of min(P, O). Negative estimates count
 * as 0. */
static double misplaced(const struct paired *p)
{
    double all = 0, exact_all = wasted(p, &p->total.exact), agreement = 0;
    for (size_t i = 0; i < p->rows; i++)
        all += fmax(0, p->row[i].wasted);
    for (size_t i = 0; i < p->rows && all > 0 && exact_all > 0; i++)
        agreement += fmin(fmax(0, p->row[i].wasted) / all, wasted(p, &p->row[i].exact) / exact_all);
    return fmax(0, 1 - agreement);
}

static void paired_report_total(struct report *r, const struct paired *p, const char *key, const char *label,
                                double estimated, double exact, const char *unit)
{
    report_real(r, key, label, estimated, 0, unit);
    if (p->is_exact)
        report_exact(r, exact);
}

static void paired_report_totals(struct report *r, const struct paired *p)
{
    const struct overlap *e = &p->total.estimated, *x = &p->total.exact;
    report_count(r, "issue_width", "issue slots in a cycle", p->scale->issue_width, NULL);
    report_unit(r, "slots");
    report_real(r, "scale", "instructions for a pair", p->scale->thinned, 1, NULL);
    report_unit(r, "instructions");
    paired_report_total(r, p, "fetched", "fetched", e->fetched, x->fetched, "instructions");
    paired_report_total(r, p, "progress", "in progress, all together", e->progress, x->progress, "cycles");
    paired_report_total(r, p, "useful", "issue slots used by others", e->useful, x->useful, "slots");
    paired_report_total(r, p, "wasted", "issue slots wasted", wasted(p, e), wasted(p, x), "slots");
    if (p->is_exact)
        report_share(r, "error", "  misplaced", misplaced(p), 2);
    else
        report_absent(r, "error", NULL);
}

enum { AT_KEY, AT_SAMPLES, AT_FETCHED, AT_CYCLES, AT_CONCURRENCY, AT_WASTED };

/* Declares a column of estimates and, if known, a column of exact values after it. */
static void declare_pair(struct report_table *t, const struct paired *p, const char *member, const char *title,
                         unsigned at, unsigned decimals, const char *unit)
{
    struct report_column c = {.type = REPORT_REAL,
                              .group = "estimated",
                              .member = member,
                              .title = title,
                              .decimals = decimals,
                              .at = at,
                              .unit = unit,
                              .absent = "-",
                              .optional = true};
    report_column(t, &c);
    c.group = "exact";
    c.title = "exact";
    if (p->is_exact)
        report_column(t, &c);
}

static void paired_report_declare(struct report_table *t, const struct paired *p)
{
    report_column(t, &(struct report_column){.type = REPORT_ADDRESS, .member = "key", .title = "instruction"});
    report_column(
        t, &(struct report_column){.type = REPORT_COUNT, .member = "samples", .title = "samples", .at = AT_SAMPLES});
    report_column(t, &(struct report_column){.type = REPORT_FLAG, .member = "few", .at = AT_SAMPLES, .letter = "?"});
    report_column(t, &(struct report_column){.type = REPORT_LETTERS, .title = "", .at = AT_SAMPLES});
    declare_pair(t, p, "fetched", "fetched", AT_FETCHED, 0, "times");
    declare_pair(t, p, "cycles", "cycles", AT_CYCLES, 1, "cycles");
    declare_pair(t, p, "concurrency", "concurrency", AT_CONCURRENCY, 2, "slots in a cycle");
    declare_pair(t, p, "wasted", "wasted slots", AT_WASTED, 0, "slots");
}

static void paired_report_add_real(struct report_table *t, double x, bool is_known)
{
    if (is_known)
        report_cell_real(t, x);
    else
        report_cell_absent(t);
}

static void add_pair(struct report_table *t, const struct paired *p, double estimated, bool is_known, double exact,
                     bool exact_is_known)
{
    paired_report_add_real(t, estimated, is_known);
    if (p->is_exact)
        paired_report_add_real(t, exact, exact_is_known);
}

static void paired_report_add_row(struct report_table *t, const struct paired *p, const struct paired_row *row)
{
    const struct overlap *e = &row->estimated, *x = &row->exact;
    report_row(t);
    report_cell_address(t, sample_pc_of(row->key));
    report_cell_count(t, row->samples);
    report_cell_flag(t, row->samples < RANKED_SAMPLES);
    add_pair(t, p, e->fetched, true, x->fetched, true);
    add_pair(t, p, e->progress / e->fetched, e->fetched > 0, x->progress / x->fetched, x->fetched > 0);
    add_pair(t, p, concurrency(e), e->progress > 0, concurrency(x), x->progress > 0);
    add_pair(t, p, wasted(p, e), true, wasted(p, x), true);
}

static void paired_report_legend(struct report *r)
{
    report_note(r, "cycles: in progress, from fetch to ready to retire, for each execution. concurrency: issue slots "
                   "used by other instructions, which retired, in a cycle of these. wasted slots: what is left of the "
                   "issue slots of these cycles. ?: fewer than 16 samples. exact: ground truth from the simulator.");
}

void paired_report(struct report *r, struct generic_rows *rows, const struct paired_members *members,
                   const struct paired_scale *scale, const struct exact_source *exact)
{
    struct paired p = {.scale = scale, .is_exact = exact != NULL};
    struct report *section = report_section(r, "paired");
    paired_report_fill(&p, rows, members, exact);
    paired_report_totals(section, &p);
    struct report_table *t = report_table(section, "instructions", "instructions by {order}, {shown} of {rows}");
    report_order(t, "wasted issue slots");
    paired_report_declare(t, &p);
    for (size_t i = 0; i < p.rows; i++)
        paired_report_add_row(t, &p, &p.row[i]);
    paired_report_legend(section);
    free(p.row);
}

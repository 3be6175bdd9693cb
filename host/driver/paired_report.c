/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/driver/paired_report.h"

#include "host/driver/paired_profile.h"

static bool is_exact(const struct program_profile *p) { return p->table[0].member[PAIRED_WASTED].has_exact; }

static void paired_report_total(struct report *r, const struct program_profile *p, const char *key, const char *label,
                                double estimated, double exact, const char *unit)
{
    report_real(r, key, label, estimated, 0, unit);
    if (is_exact(p))
        report_exact(r, exact);
}

static void paired_report_totals(struct report *r, const struct program_profile *p)
{
    const struct program_overlap *e = &p->pairs.estimated, *x = &p->pairs.exact;
    report_count(r, "issue_width", "issue slots in a cycle", p->pairs.issue_width, NULL);
    report_unit(r, "slots");
    report_real(r, "scale", "instructions for a pair", p->table[0].scale.thinned, 1, NULL);
    report_unit(r, "instructions");
    paired_report_total(r, p, "fetched", "fetched", e->fetched, x->fetched, "instructions");
    paired_report_total(r, p, "progress", "in progress, all together", e->progress, x->progress, "cycles");
    paired_report_total(r, p, "useful", "issue slots used by others", e->useful, x->useful, "slots");
    paired_report_total(r, p, "wasted", "issue slots wasted", e->wasted, x->wasted, "slots");
    if (is_exact(p))
        report_share(r, "error", "  misplaced", p->pairs.error, 2);
    else
        report_absent(r, "error", NULL);
}

/* Declares a column of estimates and, if known, a column of exact values after it. */
static void declare_pair(struct report_table *t, const struct program_member *m, const char *title, unsigned at,
                         unsigned decimals)
{
    struct report_column c = {.type = REPORT_REAL,
                              .group = "estimated",
                              .member = m->name,
                              .title = title,
                              .decimals = decimals,
                              .at = at,
                              .unit = m->unit,
                              .absent = "-",
                              .optional = true};
    report_column(t, &c);
    c.group = "exact";
    c.title = "exact";
    if (m->has_exact)
        report_column(t, &c);
}

/* The key is the first column of the text form, and the members follow it. */
static void paired_report_declare(struct report_table *t, const struct program_member m[])
{
    enum { SAMPLES_AT = 1 + PAIRED_SAMPLES };
    report_column(t, &(struct report_column){.type = REPORT_ADDRESS, .member = "key", .title = "instruction"});
    report_column(
        t, &(struct report_column){.type = REPORT_COUNT, .member = "samples", .title = "samples", .at = SAMPLES_AT});
    report_column(t, &(struct report_column){.type = REPORT_FLAG, .member = "few", .at = SAMPLES_AT, .letter = "?"});
    report_column(t, &(struct report_column){.type = REPORT_LETTERS, .title = "", .at = SAMPLES_AT});
    declare_pair(t, &m[PAIRED_FETCHED], "fetched", 1 + PAIRED_FETCHED, 0);
    declare_pair(t, &m[PAIRED_CYCLES], "cycles", 1 + PAIRED_CYCLES, 1);
    declare_pair(t, &m[PAIRED_CONCURRENCY], "concurrency", 1 + PAIRED_CONCURRENCY, 2);
    declare_pair(t, &m[PAIRED_WASTED], "wasted slots", 1 + PAIRED_WASTED, 0);
}

static void paired_report_add_row(struct report_table *t, const struct program_table *p, const struct program_row *row)
{
    const uint64_t samples = row->number[PAIRED_SAMPLES].held;
    report_row(t);
    report_cell_address(t, row->key);
    report_cell_count(t, samples);
    report_cell_flag(t, samples < RANKED_SAMPLES);
    for (unsigned m = PAIRED_FETCHED; m < PAIRED_MEMBERS; m++) {
        report_cell_real(t, row->number[m].estimate);
        if (p->member[m].has_exact)
            report_cell_real(t, row->number[m].exact);
    }
}

static void paired_report_legend(struct report *r)
{
    report_note(r, "cycles: in progress, from fetch to ready to retire, for each execution. concurrency: issue slots "
                   "used by other instructions, which retired, in a cycle of these. wasted slots: what is left of the "
                   "issue slots of these cycles. ?: fewer than 16 samples. exact: ground truth from the simulator.");
}

void paired_report(struct report *r, const struct program_profile *p)
{
    struct report *section = report_section(r, "paired");
    paired_report_totals(section, p);
    struct report_table *t = report_table(section, "instructions", "instructions by {order}, {shown} of {rows}");
    report_order(t, "wasted issue slots");
    paired_report_declare(t, p->table[0].member);
    for (size_t i = 0; i < p->table[0].rows; i++)
        paired_report_add_row(t, &p->table[0], &p->table[0].row[i]);
    paired_report_legend(section);
}

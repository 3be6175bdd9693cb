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
    report_tally(r, "issue_width", "issue slots in a cycle", p->pairs.issue_width, "slots");
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

/* The key is the first column of the text form, and the members follow it; each estimate is followed by the exact
 * value, if known. */
static void paired_columns(struct report_table *t, const struct program_table *p, const struct program_row *row)
{
    static const struct {
        const char *title;
        unsigned decimals;
    } shown[PAIRED_MEMBERS] = {[PAIRED_FETCHED] = {"fetched", 0},
                               [PAIRED_CYCLES] = {"cycles", 1},
                               [PAIRED_CONCURRENCY] = {"concurrency", 2},
                               [PAIRED_WASTED] = {"wasted slots", 0}};
    const uint64_t samples = row->number[PAIRED_SAMPLES].held;
    REPORT_COLUMN(t, ADDRESS, row->key, .member = "key", .title = "instruction");
    REPORT_COLUMN(t, COUNT, samples, .member = "samples", .title = "samples", .at = 1 + PAIRED_SAMPLES);
    REPORT_COLUMN(t, FLAG, samples < RANKED_SAMPLES, .member = "few", .at = 1 + PAIRED_SAMPLES, .letter = "?");
    REPORT_COLUMN_ONLY(t, LETTERS, .title = "", .at = 1 + PAIRED_SAMPLES);
    for (unsigned m = PAIRED_FETCHED; m < PAIRED_MEMBERS; m++) {
        REPORT_COLUMN(t, REAL, row->number[m].estimate, .group = "estimated", .member = p->member[m].name,
                      .title = shown[m].title, .decimals = shown[m].decimals, .at = 1 + m, .unit = p->member[m].unit,
                      .absent = "-", .optional = true);
        if (p->member[m].has_exact)
            REPORT_COLUMN(t, REAL, row->number[m].exact, .group = "exact", .member = p->member[m].name,
                          .title = "exact", .decimals = shown[m].decimals, .at = 1 + m, .unit = p->member[m].unit,
                          .absent = "-", .optional = true);
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
    struct program_number zeros[PAIRED_MEMBERS] = {0};
    paired_columns(t, &p->table[0], &(struct program_row){.number = zeros});
    for (size_t i = 0; i < p->table[0].rows; i++) {
        report_row(t);
        paired_columns(t, &p->table[0], &p->table[0].row[i]);
    }
    paired_report_legend(section);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/family/gain_report.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "host/family/gain_parts.h"
#include "host/family/instruction.h"

/* The questions of all rows. */
struct gain_questions {
    const char **asked;
    bool has_interactions; /* a question has parts that are asked about, too */
};

static struct gain_questions gain_questions_of(const struct gain_result *g)
{
    size_t part[GAIN_PARTS];
    struct gain_questions q = {.asked = xcalloc(g->rows + 1, sizeof *q.asked)};
    for (unsigned n = 0; n < g->rows; n++)
        q.asked[n] = g->row[n].asked;
    for (unsigned n = 0; n < g->rows; n++)
        q.has_interactions |= gain_parts(q.asked, g->rows, n, part) != 0;
    return q;
}

/* The interaction cost of a row's parts, a share of the cycles; NaN: unknown. */
static double gain_interaction(const struct gain_result *g, const struct gain_questions *q, const struct gain_row *row)
{
    size_t part[GAIN_PARTS];
    const size_t parts = gain_parts(q->asked, g->rows, (size_t)(row - g->row), part);
    double cost = parts != 0 && row->is_known ? gain_share(g, row->cycles) : (double)NAN;
    for (size_t n = 0; n < parts; n++)
        cost -= g->row[part[n]].is_known ? gain_share(g, g->row[part[n]].cycles) : (double)NAN;
    return cost;
}

static void gain_columns(struct report_table *t, const struct gain_result *g, const struct gain_questions *q,
                         const struct symbols *symbols, const struct gain_row *row)
{
    const bool is_known = row->is_known && g->base != 0;
    const double interaction = g->base != 0 && !report_declares(t) ? gain_interaction(g, q, row) : (double)NAN;
    REPORT_COLUMN_IF(t, is_known, SHARE, gain_share(g, row->cycles), .member = "gain", .title = "gain %",
                     .decimals = 2);
    REPORT_COLUMN_IF(t, !isnan(row->estimated), SHARE, row->estimated, .member = "estimated", .title = "estimated %",
                     .decimals = 2);
    if (q->has_interactions)
        REPORT_COLUMN_IF(t, !isnan(interaction), SHARE, interaction, .member = "interaction", .title = "interaction %",
                         .decimals = 2, .optional = true);
    REPORT_COLUMN(t, SHARE, row->time, .member = "time", .title = "time %", .decimals = 2);
    REPORT_COLUMN(t, SHARE, row->stalled, .member = "stalled", .title = "stalled %", .decimals = 2);
    REPORT_COLUMN(t, TEXT, row->removed, .member = "removed", .title = "removed");
    if (g->rows > 0 && g->row[0].asked != NULL)
        REPORT_COLUMN_IF(t, row->asked != NULL, TEXT, row->asked, .member = "asked", .title = "asked");
    instruction_columns(t, &g->code, symbols, row->pc, 6, "");
    REPORT_COLUMN_IF(t, is_known, COUNT, row->cycles, .member = "cycles", .unit = "cycles");
}

void gain_report(const struct gain_result *g, const struct symbols *symbols, struct report *r)
{
    struct report *section = report_section(r, "gains");
    static const struct gain_row none;
    report_note(section, "Gains by the removal of a cause of delay");
    if (g->base != 0) {
        report_count(section, "cycles", "cycles", g->base, "cycles");
        report_remark(section, "of the run that nothing is removed from");
    } else {
        report_absent(section, "cycles", "cycles");
    }
    if (g->together != 0)
        report_share(section, "together", "gain of all together", gain_share(g, g->together), 2);
    struct report_table *t = report_table(section, "instructions", "Instructions by {order}, {shown} of {rows}");
    report_order(t, "gain");
    const struct gain_questions q = gain_questions_of(g);
    gain_columns(t, g, &q, symbols, &none);
    for (unsigned n = 0; n < g->rows; n++) {
        report_row(t);
        gain_columns(t, g, &q, symbols, &g->row[n]);
    }
    free((void *)q.asked);
}

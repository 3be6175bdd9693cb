/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/family/gain_report.h"

#include <math.h>

#include "host/family/instruction.h"

static void gain_columns(struct report_table *t, const struct gain_result *g, const struct symbols *symbols,
                         const struct gain_row *row)
{
    const bool is_known = row->is_known && g->base != 0;
    REPORT_COLUMN_IF(t, is_known, SHARE, gain_share(g, row->cycles), .member = "gain", .title = "gain %",
                     .decimals = 2);
    REPORT_COLUMN_IF(t, !isnan(row->estimated), SHARE, row->estimated, .member = "estimated", .title = "estimated %",
                     .decimals = 2);
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
    gain_columns(t, g, symbols, &none);
    for (unsigned n = 0; n < g->rows; n++) {
        report_row(t);
        gain_columns(t, g, symbols, &g->row[n]);
    }
}

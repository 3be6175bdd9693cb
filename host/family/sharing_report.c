/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report section of lines that harts modify in turns. */
#include "host/family/sharing_report.h"

#include <stdlib.h>

#include "base/status.h"
#include "host/family/instruction.h"
#include "host/symbols/variables.h"

struct sharing_view {
    const struct sharing_result *result;
    const struct symbols *symbols;
    uint64_t accesses; /* of all lines */
};

static void sharing_columns(struct report_table *t, const struct sharing_view *v, const struct sharing_line *line,
                            const struct sharing_row *row)
{
    char *data = variables_name(v->symbols, row->address);
    REPORT_COLUMN(t, COUNT, row->accesses, .member = "accesses", .title = "accesses", .unit = "accesses", .decimals = 2,
                  .heat = true, .of_total = true, .total = v->accesses);
    REPORT_COLUMN(t, HEX, line->address, .member = "shared_line", .title = "line");
    REPORT_COLUMN_IF(t, line->is_known, TEXT, line->is_false ? "false" : "true", .member = "sharing",
                     .title = "sharing", .absent = "-");
    REPORT_COLUMN(t, COUNT, row->hart, .member = "hart", .title = "hart");
    REPORT_COLUMN_IF(t, data != NULL, TEXT, data, .member = "data", .title = "data", .absent = "-");
    REPORT_COLUMN(t, HEX, row->address, .member = "data_address");
    REPORT_COLUMN(t, COUNT, row->bytes, .member = "bytes", .unit = "bytes");
    REPORT_COLUMN(t, FLAG, row->writes, .member = "writes");
    instruction_columns(t, &v->result->code, v->symbols, row->pc, 5, "");
    free(data);
}

static void sharing_add_line(struct report_table *t, const struct sharing_view *v, const struct sharing_line *line)
{
    const size_t rows = line->end - line->first;
    struct sharing_row *row = xcalloc(rows, sizeof *row);
    for (size_t n = 0; n < rows; n++)
        row[n] = v->result->profile->row[line->first + n];
    qsort(row, rows, sizeof *row, sharing_by_accesses);
    for (size_t n = 0; n < rows; n++) {
        report_row(t);
        sharing_columns(t, v, line, &row[n]);
    }
    free(row);
}

void sharing_report(const struct sharing_result *result, const struct symbols *symbols, struct report *r)
{
    static const struct sharing_line no_line;
    static const struct sharing_row no_row;
    struct sharing_line *line;
    struct sharing_view v = {.result = result, .symbols = symbols};
    const size_t lines = sharing_lines(result->profile, &line);
    struct report *section = report_section(r, "sharing");
    for (size_t n = 0; n < lines; n++)
        v.accesses += line[n].accesses;
    report_note(section, "Accesses to lines that another hart had modified");
    report_count(section, "cycles", NULL, result->cycles, "cycles");
    report_count(section, "accesses", "accesses", v.accesses, "accesses");
    report_count(section, "lines", "lines", lines, "lines");
    struct report_table *t = report_table(section, "data", "Data by {order}, {shown} of {rows}; % of the accesses");
    report_order(t, "accesses to its line");
    sharing_columns(t, &v, &no_line, &no_row);
    for (size_t n = 0; n < lines; n++)
        sharing_add_line(t, &v, &line[n]);
    free(line);
}

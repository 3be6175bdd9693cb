/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of pcprof cfg: blocks and edges. */
#include <math.h>
#include <stdlib.h>

#include "tools/pcprof/cfg.h"

static const struct report_column frequency_columns[] = {
    {.type = REPORT_REAL, .member = "executions", .title = "executions", .absent = "-"},
    {.type = REPORT_TEXT, .member = "confidence", .title = "confidence"},
    {.type = REPORT_REAL, .member = "exact", .title = "exact", .absent = "-"},
    {.type = REPORT_SHARE, .member = "error", .title = "error %", .decimals = 1, .sign = true, .absent = "-"},
};
enum { FREQUENCY_COLUMNS = sizeof frequency_columns / sizeof frequency_columns[0] };

static void add_frequency(const struct cfg *c, struct report_table *t, struct frequency f, double exact)
{
    double executions = analysed_executions(c->analysis, f);
    report_cell_real(t, executions);
    report_cell_text(t, analysed_confidence[f.confidence]);
    report_cell_real(t, exact);
    report_cell_share(t, analysed_error(executions, exact));
}

static void add_blocks(const struct cfg *c, struct report *r)
{
    static const struct report_column columns[] = {
        {.type = REPORT_COUNT, .member = "block", .title = "block", .plain = true},
        {.type = REPORT_HEX, .member = "address", .title = "address"},
        {.type = REPORT_COUNT, .member = "instructions", .title = "instructions"},
        {.type = REPORT_REAL, .member = "samples", .title = "samples"},
    };
    struct report_table *t = report_table(r, "blocks", "Blocks");
    report_whole(t);
    report_columns(t, columns, sizeof columns / sizeof columns[0]);
    report_columns(t, frequency_columns, FREQUENCY_COLUMNS);
    for (uint32_t n = 0; n < c->analysis->blocks; n++) {
        const struct analysis_block *b = &c->analysis->block[n];
        double samples = 0;
        for (uint32_t i = b->first; i < b->first + b->insns; i++)
            samples += c->analysis->insn[i].samples;
        report_row(t);
        report_cell_count(t, n);
        report_cell_hex(t, b->start);
        report_cell_count(t, b->insns);
        report_cell_real(t, samples);
        add_frequency(c, t, b->frequency, cfg_exact_block(c, n));
    }
}

/* Outside the procedure: absent. */
static void cfg_report_add_node(const struct cfg *c, struct report_table *t, uint32_t node)
{
    if (node < c->analysis->blocks)
        report_cell_count(t, node);
    else
        report_cell_absent(t);
}

static void cfg_report_add_edges(const struct cfg *c, struct report *r)
{
    static const struct report_column columns[] = {
        {.type = REPORT_COUNT, .member = "from", .title = "from", .plain = true, .absent = "outside"},
        {.type = REPORT_COUNT, .member = "to", .title = "to", .plain = true, .absent = "outside"},
        {.type = REPORT_TEXT, .member = "kind", .title = "kind"},
    };
    struct report_table *t = report_table(r, "edges", "Edges");
    report_whole(t);
    report_columns(t, columns, sizeof columns / sizeof columns[0]);
    report_columns(t, frequency_columns, FREQUENCY_COLUMNS);
    for (uint32_t n = 0; n < c->analysis->edges; n++) {
        const struct analysis_edge *e = &c->analysis->edge[n];
        report_row(t);
        cfg_report_add_node(c, t, e->from);
        cfg_report_add_node(c, t, e->to);
        report_cell_text(t, cfg_edge_kind(e));
        add_frequency(c, t, e->frequency, cfg_exact_edge(c, e));
    }
}

void cfg_report(const struct cfg *c, struct report *r)
{
    char *name = analysed_name(c->from, &c->procedure);
    analysed_report(c->from, r);
    report_text(r, "image", "image", profile_image(c->from->profile, c->procedure.image)->name);
    report_text(r, "procedure", "procedure", name);
    report_hex(r, "address", NULL, c->procedure.start);
    report_flag(r, "missing", NULL, c->analysis->missing);
    add_blocks(c, r);
    cfg_report_add_edges(c, r);
    if (c->analysis->missing)
        report_note(r, "The destinations of an indirect jump are unknown: edges are missing.");
    free(name);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of pcprof cfg: blocks and edges. */
#include <math.h>
#include <stdlib.h>

#include "tools/pcprof/cfg.h"

static void frequency_columns(const struct cfg *c, struct report_table *t, struct frequency f, double exact)
{
    const double executions = analysed_executions(c->analysis, f);
    REPORT_COLUMN(t, REAL, executions, .member = "executions", .title = "executions", .absent = "-");
    REPORT_COLUMN(t, TEXT, analysed_confidence[f.confidence], .member = "confidence", .title = "confidence");
    REPORT_COLUMN(t, REAL, exact, .member = "exact", .title = "exact", .absent = "-");
    REPORT_COLUMN(t, SHARE, analysed_error(executions, exact), .member = "error", .title = "error %", .decimals = 1,
                  .sign = true, .absent = "-");
}

static void cfg_block_columns(const struct cfg *c, struct report_table *t, uint32_t n, const struct analysis_block *b)
{
    double samples = 0;
    for (uint32_t i = b->first; i < b->first + b->insns; i++)
        samples += c->analysis->insn[i].samples;
    REPORT_COLUMN(t, COUNT, n, .member = "block", .title = "block", .plain = true);
    REPORT_COLUMN(t, HEX, b->start, .member = "address", .title = "address");
    REPORT_COLUMN(t, COUNT, b->insns, .member = "instructions", .title = "instructions");
    REPORT_COLUMN(t, REAL, samples, .member = "samples", .title = "samples");
    frequency_columns(c, t, b->frequency, report_declares(t) ? (double)NAN : cfg_exact_block(c, n));
}

static void add_blocks(const struct cfg *c, struct report *r)
{
    struct report_table *t = report_table(r, "blocks", "Blocks");
    report_whole(t);
    cfg_block_columns(c, t, 0, &(struct analysis_block){0});
    for (uint32_t n = 0; n < c->analysis->blocks; n++) {
        report_row(t);
        cfg_block_columns(c, t, n, &c->analysis->block[n]);
    }
}

/* A node outside the procedure is absent. */
static void edge_columns(const struct cfg *c, struct report_table *t, const struct analysis_edge *e)
{
    const uint32_t blocks = c->analysis->blocks;
    REPORT_COLUMN_IF(t, e->from < blocks, COUNT, e->from, .member = "from", .title = "from", .plain = true,
                     .absent = "outside");
    REPORT_COLUMN_IF(t, e->to < blocks, COUNT, e->to, .member = "to", .title = "to", .plain = true,
                     .absent = "outside");
    REPORT_COLUMN(t, TEXT, cfg_edge_kind(e), .member = "kind", .title = "kind");
    frequency_columns(c, t, e->frequency, report_declares(t) ? (double)NAN : cfg_exact_edge(c, e));
}

static void cfg_report_add_edges(const struct cfg *c, struct report *r)
{
    struct report_table *t = report_table(r, "edges", "Edges");
    report_whole(t);
    edge_columns(c, t, &(struct analysis_edge){0});
    for (uint32_t n = 0; n < c->analysis->edges; n++) {
        report_row(t);
        edge_columns(c, t, &c->analysis->edge[n]);
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

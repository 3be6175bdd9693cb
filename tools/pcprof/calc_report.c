/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The head of pcprof calc, and the table of blocks. */
#include <math.h>
#include <stdlib.h>

#include "tools/pcprof/calc.h"
#include "tools/pcprof/image_notes.h"

/* ---- the procedure ---- */

static void report_head(const struct calc *c, struct report *r)
{
    char *name = analysed_name(c->from, &c->procedure);
    analysed_report(c->from, r);
    report_text(r, "image", "image", profile_image(c->from->profile, c->procedure.image)->name);
    report_text(r, "procedure", "procedure", name);
    report_hex(r, "address", NULL, c->procedure.start);
    analysed_report_cpi(&c->analysis->summary, c->analysis->period,
                        analysed_tallied(c->from, c->from->exact_executions, &c->procedure, c->analysis),
                        analysed_tallied(c->from, c->from->exact_time, &c->procedure, c->analysis), r);
    free(name);
}

/* ---- blocks ---- */

static void calc_block_columns(struct report_table *t, const struct calc *c, uint32_t number,
                               const struct analysis_block *b)
{
    const struct analysis *a = c->analysis;
    double best = 0, samples = 0;
    for (uint32_t i = b->first; i < b->first + b->insns; i++) {
        best += a->insn[i].minimum;
        samples += a->insn[i].samples;
    }
    const double executions = analysed_executions(a, b->frequency), cycles = samples * a->period / executions;
    const double exact = analysed_value(c->from, c->from->exact_executions, c->procedure.image, b->start);
    REPORT_COLUMN(t, COUNT, number, .member = "block", .title = "block", .plain = true);
    REPORT_COLUMN(t, HEX, b->start, .member = "address", .title = "address");
    REPORT_COLUMN(t, COUNT, b->insns, .member = "instructions", .title = "instructions");
    REPORT_COLUMN(t, REAL, samples, .member = "samples", .title = "samples");
    REPORT_COLUMN(t, REAL, best, .member = "best_cycles", .title = "best cycles", .decimals = 1);
    REPORT_COLUMN(t, REAL, cycles, .member = "cycles", .title = "cycles", .decimals = 1, .absent = "-");
    REPORT_COLUMN(t, REAL, best / b->insns, .member = "best_cpi", .title = "best CPI", .decimals = 2);
    REPORT_COLUMN(t, REAL, cycles / b->insns, .member = "cpi", .title = "CPI", .decimals = 2, .absent = "-");
    REPORT_COLUMN(t, REAL, executions, .member = "executions", .title = "executions", .absent = "-");
    REPORT_COLUMN(t, TEXT, analysed_confidence[b->frequency.confidence], .member = "confidence", .title = "confidence");
    if (c->from->exact_executions == PROFILE_NO_EVENT)
        return;
    REPORT_COLUMN(t, REAL, exact, .member = "exact", .title = "exact");
    REPORT_COLUMN(t, SHARE, analysed_error(executions, exact), .member = "error", .title = "error %", .decimals = 1,
                  .sign = true, .absent = "-");
}

void calc_report(struct calc *c, struct report *r)
{
    report_head(c, r);
    calc_report_listing(c, r);
    struct report_table *t = report_table(r, "blocks", "Blocks");
    report_whole(t);
    calc_block_columns(t, c, 0, &(struct analysis_block){0});
    for (uint32_t b = 0; b < c->analysis->blocks; b++) {
        report_row(t);
        calc_block_columns(t, c, b, &c->analysis->block[b]);
    }
    if (c->analysis->missing)
        report_note(r, "The destinations of an indirect jump are unknown: edges are missing, and each block has an "
                       "estimate of its own.");
    note_image(r, profile_image(c->from->profile, c->procedure.image));
}

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

static void declare_blocks(const struct calc *c, struct report_table *t)
{
    static const struct report_column columns[] = {
        {.type = REPORT_COUNT, .member = "block", .title = "block", .plain = true},
        {.type = REPORT_HEX, .member = "address", .title = "address"},
        {.type = REPORT_COUNT, .member = "instructions", .title = "instructions"},
        {.type = REPORT_REAL, .member = "samples", .title = "samples"},
        {.type = REPORT_REAL, .member = "best_cycles", .title = "best cycles", .decimals = 1},
        {.type = REPORT_REAL, .member = "cycles", .title = "cycles", .decimals = 1, .absent = "-"},
        {.type = REPORT_REAL, .member = "best_cpi", .title = "best CPI", .decimals = 2},
        {.type = REPORT_REAL, .member = "cpi", .title = "CPI", .decimals = 2, .absent = "-"},
        {.type = REPORT_REAL, .member = "executions", .title = "executions", .absent = "-"},
        {.type = REPORT_TEXT, .member = "confidence", .title = "confidence"},
    };
    static const struct report_column exact[] = {
        {.type = REPORT_REAL, .member = "exact", .title = "exact"},
        {.type = REPORT_SHARE, .member = "error", .title = "error %", .decimals = 1, .sign = true, .absent = "-"},
    };
    report_columns(t, columns, sizeof columns / sizeof columns[0]);
    if (c->from->exact_executions != PROFILE_NO_EVENT)
        report_columns(t, exact, sizeof exact / sizeof exact[0]);
}

static void calc_report_add_block(const struct calc *c, struct report_table *t, uint32_t number)
{
    const struct analysis *a = c->analysis;
    const struct analysis_block *b = &a->block[number];
    double best = 0, samples = 0;
    for (uint32_t i = b->first; i < b->first + b->insns; i++) {
        best += a->insn[i].minimum;
        samples += a->insn[i].samples;
    }
    double executions = analysed_executions(a, b->frequency), cycles = samples * a->period / executions;
    report_row(t);
    report_cell_count(t, number);
    report_cell_hex(t, b->start);
    report_cell_count(t, b->insns);
    report_cell_real(t, samples);
    report_cell_real(t, best);
    report_cell_real(t, cycles);
    report_cell_real(t, best / b->insns);
    report_cell_real(t, cycles / b->insns);
    report_cell_real(t, executions);
    report_cell_text(t, analysed_confidence[b->frequency.confidence]);
    double exact = analysed_value(c->from, c->from->exact_executions, c->procedure.image, b->start);
    if (c->from->exact_executions == PROFILE_NO_EVENT)
        return;
    report_cell_real(t, exact);
    report_cell_share(t, analysed_error(executions, exact));
}

void calc_report(struct calc *c, struct report *r)
{
    report_head(c, r);
    calc_report_listing(c, r);
    struct report_table *t = report_table(r, "blocks", "Blocks");
    report_whole(t);
    declare_blocks(c, t);
    for (uint32_t b = 0; b < c->analysis->blocks; b++)
        calc_report_add_block(c, t, b);
    if (c->analysis->missing)
        report_note(r, "The destinations of an indirect jump are unknown: edges are missing, and each block has an "
                       "estimate of its own.");
    note_image(r, profile_image(c->from->profile, c->procedure.image));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The listing of pcprof calc: a row for each instruction, and above it a line for each cause of its stall. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/pcprof/calc.h"
#include "tools/pcprof/listing.h"

static const struct stall_name {
    const char *key, *label, *letter, *meaning;
} stalls[] = {
#define LETTER(c) ((const char[2]){c, '\0'})
#define STATIC_STALL(sym, key, label, letter, meaning) {key, label, LETTER(letter), meaning},
#define DYNAMIC_STALL STATIC_STALL
#include "contract/stall.def"
#undef DYNAMIC_STALL
#undef STATIC_STALL
    {"unexplained", "Unexplained", "?", "all causes are ruled out, or bounded by samples of events"},
};

/* Part of an issue slot that is shown: the least that one decimal shows as half a tenth. */
static const double least_cycles = 0.05;

static void calc_listing_declare(const struct calc *c, struct report_table *t, struct report_table **above)
{
    const struct schedule_machine *m = &c->image->schedule.machine;
    static const struct report_column stall[] = {
        {.type = REPORT_TEXT, .member = "letter", .title = "stall", .at = 1},
        {.type = REPORT_TEXT, .member = "cause"},
        {.type = REPORT_FLAG, .member = "dynamic"},
        {.type = REPORT_REAL, .member = "cycles", .title = "at most", .unit = "cycles", .decimals = 1, .at = 2},
        {.type = REPORT_HEX, .member = "culprit", .title = "culprit", .at = 3},
    };
    *above = report_nested(t, "stalls", 0, NULL, 0);
    report_above(*above);
    report_columns(*above, stall, sizeof stall / sizeof stall[0]);
    unsigned decimals = m->width > 2 ? 2 : 1;
    const struct report_column own[] = {
        {.type = REPORT_HEX, .member = "address", .title = "address", .at = 4},
        {.type = REPORT_TEXT, .member = "instruction", .title = "instruction", .at = 5},
        {.type = REPORT_REAL, .member = "samples", .title = "samples", .at = 6},
        {.type = REPORT_REAL,
         .member = "cpi_rounded",
         .title = "CPI",
         .decimals = decimals,
         .absent = "-",
         .flag = "with_previous",
         .flag_text = m->width == 2 ? "(dual issue)" : "(same issue)",
         .at = 7},
        {.type = REPORT_REAL, .member = "cpi", .unit = "cycles", .decimals = 3},
        {.type = REPORT_REAL, .member = "minimum", .unit = "cycles", .decimals = 2},
        {.type = REPORT_FLAG, .member = "with_previous"},
        {.type = REPORT_COUNT, .member = "block", .title = "block", .plain = true, .at = 9},
        {.type = REPORT_TEXT, .member = "file"},
        {.type = REPORT_COUNT, .member = "line_number", .plain = true},
        {.type = REPORT_TEXT, .member = "line", .title = "line", .kept = true, .at = 10},
        {.type = REPORT_REAL, .member = "exact_executions", .unit = "instructions"},
        {.type = REPORT_REAL, .member = "exact_cycles", .unit = "cycles"},
    };
    report_columns(t, own, sizeof own / sizeof own[0]);
    for (unsigned n = 0; n < c->events; n++) {
        const struct profile_event *e = profile_event(c->from->profile, c->event[n]);
        char *name = xasprintf("%s@%s", e->name, e->by);
        report_column(
            t,
            &(struct report_column){
                .type = REPORT_REAL, .member = "estimate", .group = name, .title = e->name, .unit = e->unit, .at = 8});
        free(name);
    }
}

/* ---- stalls ---- */

static void calc_listing_add_stall(struct calc *c, struct report_table *t, unsigned number, double cycles,
                                   uint64_t culprit)
{
    report_row(t);
    report_cell_text(t, stalls[number].letter);
    report_cell_text(t, stalls[number].key);
    report_cell_flag(t, number >= STATIC_STALLS);
    report_cell_real(t, cycles);
    if (culprit != 0)
        report_cell_hex(t, culprit);
    else
        report_cell_absent(t);
    c->is_seen[number] = true;
}

static void calc_listing_add_static(struct calc *c, struct report_table *t, const struct analysis_insn *in)
{
    double width = c->image->schedule.machine.width;
    for (unsigned s = 0; s < STATIC_STALLS; s++) {
        bool last = s == in->schedule.cause;
        if (in->schedule.lost[s] != 0)
            calc_listing_add_stall(c, t, s, in->schedule.lost[s] / width,
                                   last && s != STATIC_SLOTTING ? in->static_culprit : 0);
    }
}

static void add_dynamic(struct calc *c, struct report_table *t, const struct analysis_insn *in, double frequency)
{
    double explained = 0;
    for (unsigned s = 0; s < DYNAMIC_STALLS; s++) {
        if (!in->cause[s].possible || in->cause[s].most / frequency < least_cycles)
            continue;
        explained += in->cause[s].most;
        calc_listing_add_stall(c, t, STATIC_STALLS + s, in->cause[s].most / frequency, in->cause[s].culprit);
    }
    if ((in->dynamic - explained) / frequency >= least_cycles)
        calc_listing_add_stall(c, t, CALC_UNEXPLAINED, (in->dynamic - explained) / frequency, 0);
}

/* ---- instructions ---- */

static const char *calc_listing_last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void calc_listing_add_line(const struct calc *c, struct report_table *t, uint64_t pc)
{
    const struct profile_line *l = profile_find_line(profile_image(c->from->profile, c->procedure.image), pc);
    if (l == NULL) {
        report_cell_absent(t);
        report_cell_absent(t);
        report_cell_absent(t);
        return;
    }
    const char *path = profile_file(c->from->profile, l->file);
    char *line = xasprintf("%s:%u", calc_listing_last_part(path), l->line);
    report_cell_text(t, path);
    report_cell_count(t, l->line);
    report_cell_text(t, line);
    free(line);
}

/* The disassembly, with the procedure of a destination elsewhere. The caller frees it. */
static char *calc_listing_text_of(const struct calc *c, uint64_t pc)
{
    struct code_insn in;
    if (!c->image->code.describe(c->image->code.ctx, pc, &in))
        return xstrdup("(unknown)");
    bool inside = in.target >= c->procedure.start && in.target < c->procedure.end;
    return inside ? xstrdup(in.text) : listing_with_target(profile_image(c->from->profile, c->procedure.image), &in);
}

static void calc_listing_add_instruction(struct calc *c, struct report_table *t, struct report_table *above,
                                         uint32_t number)
{
    const struct analysis *a = c->analysis;
    const struct analysis_insn *in = &a->insn[number];
    double width = c->image->schedule.machine.width, rounded = round(in->cpi * width) / width;
    double frequency = a->block[in->block].frequency.value;
    char *text = calc_listing_text_of(c, in->pc);
    report_row(t);
    report_cell_hex(t, in->pc);
    report_cell_text(t, text);
    report_cell_real(t, in->samples);
    report_cell_real(t, rounded);
    report_cell_real(t, in->cpi);
    report_cell_real(t, in->minimum);
    report_cell_flag(t, in->minimum == 0 && rounded == 0);
    report_cell_count(t, in->block);
    calc_listing_add_line(c, t, in->pc);
    report_cell_real(t, analysed_value(c->from, c->from->exact_executions, c->procedure.image, in->pc));
    report_cell_real(t, analysed_value(c->from, c->from->exact_time, c->procedure.image, in->pc));
    for (unsigned n = 0; n < c->events; n++)
        report_cell_real(t, analysed_value(c->from, c->event[n], c->procedure.image, in->pc));
    if (in->samples > 0 && !c->image->schedule.machine.at_commit)
        calc_listing_add_static(c, above, in);
    if (in->is_stall && frequency > 0)
        add_dynamic(c, above, in, frequency);
    free(text);
}

static void report_letters(const struct calc *c, struct report *r)
{
    bool any = false;
    for (unsigned n = 0; n <= CALC_UNEXPLAINED; n++) {
        if (!c->is_seen[n])
            continue;
        if (!any)
            report_note(r, "Stalls, a line above the instruction for each cause that is not ruled out:");
        char *line = xasprintf("  %s  %s: %s", stalls[n].letter, stalls[n].label, stalls[n].meaning);
        report_note_line(r, line);
        free(line);
        any = true;
    }
}

void calc_report_listing(struct calc *c, struct report *r)
{
    struct report_table *above, *t = report_table(r, "instructions", "Instructions");
    report_whole(t);
    calc_listing_declare(c, t, &above);
    for (uint32_t i = 0; i < c->analysis->insns; i++)
        calc_listing_add_instruction(c, t, above, i);
    report_letters(c, r);
}

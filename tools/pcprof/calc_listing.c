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
    {"unexplained", "Unexplained", "?", "all causes are ruled out, or bounded by samples of events"},
};

/* Part of an issue slot that is shown: the least that one decimal shows as half a tenth. */
static const double least_cycles = 0.05;

/* The last part of the path and the number of a line; its file; NULL: it is not known. */
struct calc_line {
    char *place;
    const char *file;
    uint32_t number;
};

static void stall_columns(struct report_table *t, unsigned number, double cycles, uint64_t culprit)
{
    REPORT_COLUMN(t, TEXT, stalls[number].letter, .member = "letter", .title = "stall", .at = 1);
    REPORT_COLUMN(t, TEXT, stalls[number].key, .member = "cause");
    REPORT_COLUMN(t, FLAG, number >= STATIC_STALLS, .member = "dynamic");
    REPORT_COLUMN(t, REAL, cycles, .member = "cycles", .title = "at most", .unit = "cycles", .decimals = 1, .at = 2);
    REPORT_COLUMN_IF(t, culprit != 0, HEX, culprit, .member = "culprit", .title = "culprit", .at = 3);
}

static void calc_columns(const struct calc *c, struct report_table *t, const struct analysis_insn *in, const char *text,
                         const struct calc_line *line)
{
    const unsigned width = c->image->schedule.machine.width;
    const double rounded = round(in->cpi * width) / width;
    REPORT_COLUMN(t, HEX, in->pc, .member = "address", .title = "address", .at = 4);
    REPORT_COLUMN(t, TEXT, text, .member = "instruction", .title = "instruction", .at = 5);
    REPORT_COLUMN(t, REAL, in->samples, .member = "samples", .title = "samples", .at = 6);
    REPORT_COLUMN(t, REAL, rounded, .member = "cpi_rounded", .title = "CPI", .decimals = width > 2 ? 2 : 1,
                  .absent = "-", .flag = "with_previous", .flag_text = width == 2 ? "(dual issue)" : "(same issue)",
                  .at = 7);
    REPORT_COLUMN(t, REAL, in->cpi, .member = "cpi", .unit = "cycles", .decimals = 3);
    REPORT_COLUMN(t, REAL, in->minimum, .member = "minimum", .unit = "cycles", .decimals = 2);
    REPORT_COLUMN(t, FLAG, in->minimum == 0 && rounded == 0, .member = "with_previous");
    REPORT_COLUMN(t, COUNT, in->block, .member = "block", .title = "block", .plain = true, .at = 9);
    REPORT_COLUMN(t, TEXT, line->file, .member = "file");
    REPORT_COLUMN_IF(t, line->file != NULL, COUNT, line->number, .member = "line_number", .plain = true);
    REPORT_COLUMN(t, TEXT, line->place, .member = "line", .title = "line", .kept = true, .at = 10);
    REPORT_COLUMN(t, REAL, analysed_value(c->from, c->from->exact_executions, c->procedure.image, in->pc),
                  .member = "exact_executions", .unit = "instructions");
    REPORT_COLUMN(t, REAL, analysed_value(c->from, c->from->exact_time, c->procedure.image, in->pc),
                  .member = "exact_cycles", .unit = "cycles");
    for (unsigned n = 0; n < c->events; n++) {
        const struct profile_event *e = profile_event(c->from->profile, c->event[n]);
        char *name = xasprintf("%s@%s", e->name, e->by);
        REPORT_COLUMN(t, REAL, analysed_value(c->from, c->event[n], c->procedure.image, in->pc), .member = "estimate",
                      .group = name, .title = e->name, .unit = e->unit, .at = 8);
        free(name);
    }
}

/* ---- stalls ---- */

static void calc_listing_add_stall(struct calc *c, struct report_table *t, unsigned number, double cycles,
                                   uint64_t culprit)
{
    report_row(t);
    stall_columns(t, number, cycles, culprit);
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

/* The caller frees the place. */
static struct calc_line calc_listing_line_of(const struct calc *c, uint64_t pc)
{
    const struct profile_line *l = profile_find_line(profile_image(c->from->profile, c->procedure.image), pc);
    if (l == NULL)
        return (struct calc_line){0};
    const char *path = profile_file(c->from->profile, l->file);
    return (struct calc_line){.place = xasprintf("%s:%u", basename(path), l->line), .file = path, .number = l->line};
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
    double frequency = a->block[in->block].frequency.value;
    char *text = calc_listing_text_of(c, in->pc);
    struct calc_line line = calc_listing_line_of(c, in->pc);
    report_row(t);
    calc_columns(c, t, in, text, &line);
    if (in->samples > 0 && !c->image->schedule.machine.at_commit)
        calc_listing_add_static(c, above, in);
    if (in->is_stall && frequency > 0)
        add_dynamic(c, above, in, frequency);
    free(line.place);
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
    struct report_table *t = report_table(r, "instructions", "Instructions"), *above;
    report_whole(t);
    above = report_nested(t, "stalls", 0, NULL, 0);
    report_above(above);
    stall_columns(above, 0, 0, 0);
    calc_columns(c, t, &(struct analysis_insn){0}, NULL, &(struct calc_line){0});
    for (uint32_t i = 0; i < c->analysis->insns; i++)
        calc_listing_add_instruction(c, t, above, i);
    report_letters(c, r);
}

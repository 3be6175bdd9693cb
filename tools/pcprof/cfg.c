/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof cfg: the control-flow graph of a procedure with its frequencies. */
#include "tools/pcprof/cfg.h"

#include <limits.h>
#include <math.h>

#include "base/outfile.h"
#include "tools/command/output.h"
#include "tools/pcprof/pcprof.h"

static const char doc[] =
    "Prints the control-flow graph of a procedure: blocks and edges with estimated executions and their confidence, "
    "and exact executions if the store has them."
    "\v--format dot is for Graphviz: pcprof cfg --format dot STORE PROCEDURE | dot -Tsvg -o graph.svg\n\n"
    "PROCEDURE is a name, IMAGE:NAME, or the address of an instruction, 0xADDRESS. The tables have all rows, "
    "in address order.";

/* The forms of a report, and Graphviz's. */
enum cfg_form {
#define REPORT_FORMAT(name, help) CFG_AS_##name,
#include "host/report/formats.def"
    CFG_AS_dot
};

static const char *const cfg_form_names[] = {
#define REPORT_FORMAT(name, help) [CFG_AS_##name] = #name,
#include "host/report/formats.def"
    [CFG_AS_dot] = "dot"};

static const char examples[] = "pcprof cfg runs.db main               # blocks and edges with executions\n"
                               "pcprof cfg --format dot runs.db main  # for Graphviz\n";

#define TOOL pcprof
#define NAME cfg
#define OPTIONS "tools/pcprof/cfg_options.def"
#define ARGUMENTS PCPROF_SELECTION " PROCEDURE"
#include "tools/command/command.inc"

/* ---- exact executions ---- */

double cfg_exact_block(const struct cfg *c, uint32_t block)
{
    return analysed_value(c->from, c->from->exact_executions, c->procedure.image, c->analysis->block[block].start);
}

/* Value of the transfers from one instruction of the image to another. */
static double transfers(const struct cfg *c, uint64_t from, uint64_t to)
{
    size_t count, low = 0;
    const struct profile_edge *e = profile_edges(c->from->profile, c->from->transfers, &count);
    uint32_t image = c->procedure.image;
    for (size_t high = count; low < high;) {
        size_t mid = low + (high - low) / 2;
        bool before = e[mid].from_image != image ? e[mid].from_image < image
                      : e[mid].from != from      ? e[mid].from < from
                      : e[mid].to_image != image ? e[mid].to_image < image
                                                 : e[mid].to < to;
        if (before)
            low = mid + 1;
        else
            high = mid;
    }
    bool found = low < count && e[low].from_image == image && e[low].from == from && e[low].to_image == image &&
                 e[low].to == to;
    return found ? e[low].value : 0;
}

double cfg_exact_edge(const struct cfg *c, const struct analysis_edge *e)
{
    const struct analysis *a = c->analysis;
    if (e->kind != PROCEDURE_INSIDE)
        return NAN;
    bool has_choice = e->transfer != CODE_GRAPH_FALL && e->transfer != CODE_GRAPH_PAST_CALL &&
                      e->transfer != CODE_GRAPH_JUMP;
    if (!has_choice)
        return analysed_value(c->from, c->from->exact_executions, c->procedure.image, a->block[e->from].last);
    return c->from->transfers != PROFILE_NO_EVENT ? transfers(c, a->block[e->from].last, a->block[e->to].start)
                                                  : (double)NAN;
}

const char *cfg_edge_kind(const struct analysis_edge *e)
{
    static const char *const inside[] = {
        [CODE_GRAPH_FALL] = "fall-through",  [CODE_GRAPH_NOT_TAKEN] = "not taken", [CODE_GRAPH_TAKEN] = "taken",
        [CODE_GRAPH_JUMP] = "jump",          [CODE_GRAPH_INDIRECT] = "indirect",   [CODE_GRAPH_CALL] = "call",
        [CODE_GRAPH_PAST_CALL] = "past call"};
    switch (e->kind) {
    case PROCEDURE_INSIDE:
        return inside[e->transfer];
    case PROCEDURE_ENTER:
        return "enter";
    case PROCEDURE_LEAVE:
        return "leave";
    default:
        return "endless";
    }
}

/* ---- the command ---- */

static enum status write_dot(const struct cfg *c, const char *path, struct errmsg *err)
{
    struct outfile f;
    enum status st = outfile_open(&f, path, err);
    if (st != ST_OK)
        return st;
    cfg_write_dot(c, f.stream);
    return outfile_commit(&f, err);
}

static enum status cfg_write_report(const struct cfg *c, const struct cfg_arguments *o, struct errmsg *err)
{
    struct report *r = report_new();
    cfg_report(c, r);
    enum status st = command_write(&COMMAND_WHOLE_OUTPUT(o), r, err);
    report_free(r);
    return st;
}

static enum status cfg_print(struct cfg *c, const struct cfg_arguments *o, struct errmsg *err)
{
    struct analysis *a = analysed_run(c->from, &c->procedure);
    c->analysis = a;
    enum status st = o->format == CFG_AS_dot ? write_dot(c, o->output, err) : cfg_write_report(c, o, err);
    analysis_free(a);
    return st;
}

static enum status cfg_command(const struct cfg_arguments *o, struct errmsg *err)
{
    struct analysed from;
    struct cfg c = {.from = &from};
    enum status st = analysed_open(&from, &(struct analysed_choice){o->input, o->time, o->frequency, NULL}, err);
    if (st == ST_OK)
        st = analysed_find(&from, o->procedure, &c.procedure, err);
    if (st == ST_OK)
        st = cfg_print(&c, o, err);
    analysed_close(&from);
    return st;
}

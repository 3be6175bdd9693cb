/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof prof: the profile of an epoch or of runs of a profile store. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "tools/command/output.h"
#include "tools/pcprof/gain.h"
#include "tools/pcprof/image_notes.h"
#include "tools/pcprof/input.h"
#include "tools/pcprof/pcprof.h"
#include "tools/pcprof/prof.h"

static const char *const prof_by_names[] = {
#define BY(symbol, name) [PROF_BY_##symbol] = name,
#include "tools/pcprof/prof_options.def"
};

static const char doc[] = "Prints the profile of an epoch or of runs of a profile store, by procedure, image, source "
                          "line or instruction, with "
                          "the exact answer and the error of each estimate if the store has it."
                          "\vSTORE alone is its only epoch; STORE:EPOCH an epoch, STORE:RUN[-RUN][,...] runs.\n\n"
                          "If several profilers have an event, --event selects the first in this order: profiler of "
                          "time, counter, "
                          "ProfileMe, program.";

static const char examples[] = "pcprof prof runs.db                   # procedures by cycles\n"
                               "pcprof prof --by line --event loads runs.db:1\n";

#define TOOL pcprof
#define NAME prof
#define OPTIONS "tools/pcprof/prof_options.def"
#define ARGUMENTS PCPROF_SELECTION
#include "tools/command/command.inc"

static enum status choose_columns(struct prof *p, const struct pcprof_events *e, struct errmsg *err)
{
    for (unsigned n = 0; n < e->asked->count; n++) {
        uint32_t event = pcprof_find_event(p->profile, e->asked->text[n]);
        if (event == PROFILE_NO_EVENT)
            return pcprof_no_event(e, e->asked->text[n], err);
        p->column[p->columns++] = (struct prof_column){.event = event, .exact = pcprof_find_exact(p->profile, event)};
    }
    return ST_OK;
}

unsigned prof_parts(enum prof_by by)
{
    bool lines = by == PROF_BY_LINE || by == PROF_BY_INSTRUCTION;
    return STORE_SYMBOLS | (lines ? STORE_LINES : STORE_PROCEDURES);
}

bool prof_has_several_harts(const struct pcprof_input *in)
{
    for (size_t n = 0; n < in->contents.runs; n++)
        if (in->contents.run[n].harts > 1)
            return true;
    return false;
}

/* Whether gains are asked for, of which a procedure's is the largest of its instructions. */
static bool prof_asks_gains(const struct option_list *asked)
{
    for (unsigned n = 0; n < asked->count; n++)
        if (strncmp(asked->text[n], PCPROF_GAIN_PREFIX, strlen(PCPROF_GAIN_PREFIX)) == 0)
            return true;
    return false;
}

enum status prof_load(struct prof *p, const struct pcprof_input *in, const struct option_list *asked, unsigned parts,
                      struct errmsg *err)
{
    struct pcprof_events e = pcprof_events_of(asked);
    struct profile *profile = NULL;
    const unsigned sums = prof_asks_gains(asked) ? STORE_PROCEDURES : 0;
    enum status st = pcprof_load(in, &in->selection, &e, parts & ~sums, &profile, err);
    p->profile = profile;
    p->runs = in->contents.runs;
    p->several_harts = prof_has_several_harts(in);
    if (st == ST_OK)
        st = choose_columns(p, &e, err);
    pcprof_events_release(&e);
    return st;
}

enum status prof_print(struct prof *p, const struct pcprof_input *in, const struct command_output *output,
                       struct errmsg *err)
{
    size_t count;
    struct prof_row *row = prof_rows(p, &count);
    struct report *r = report_new();
    pcprof_report_input(in, r);
    prof_report(p, row, count, r);
    if (p->by == PROF_BY_LINE)
        note_of(r, images_without_lines(p->profile, p->column[0].event));
    else if (p->by != PROF_BY_IMAGE)
        note_of(r, images_without_symbols(p->profile, p->column[0].event));
    enum status st = command_write(output, r, err);
    report_free(r);
    free(row);
    return st;
}

static enum status prof_command(const struct prof_arguments *o, struct errmsg *err)
{
    struct pcprof_input in;
    struct prof p = {.by = o->by, .cumulative = true};
    enum status st = pcprof_open(&in, o->input, err);
    if (st == ST_OK)
        st = prof_load(&p, &in, &o->event, prof_parts(p.by), err);
    if (st == ST_OK)
        st = prof_print(&p, &in, &COMMAND_OUTPUT(o), err);
    profile_free(p.profile);
    pcprof_close(&in);
    return st;
}

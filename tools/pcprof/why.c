/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof why: where the time goes, why, and what to try, in sentences that name their evidence. */
#include "tools/pcprof/why.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "host/export/place.h"
#include "tools/command/output.h"
#include "tools/pcprof/no_procedure.h"
#include "tools/pcprof/pcprof.h"

static const char doc[] =
    "Says where the time of a program goes and why: its functions, and of one of them the lines, the causes, the "
    "paths of calls, what to try, and what a change gains. Each statement names the command that shows its evidence."
    "\vFUNCTION is a name as pcprof prof prints it. Without it, the function that gains the most, measured by --gain "
    "or estimated by the profiler graph, at least 10 %, else the one with most time is examined, and of the others "
    "with at least 15 % of it the largest cause is named. Causes are known if the store has the profiler topdown, "
    "rates if it has counts, paths of calls if it has "
    "--stacks, data that harts modify in turns if it has sharing, gains if it has --gain: "
    "pcemu --no-program --gain 8 --profile oracle,topdown,counts --stacks --collect STORE; of several harts without "
    "--gain, and with sharing.";

static const char examples[] = "pcprof why runs.db                    # functions, causes, what to try\n"
                               "pcprof why runs.db main               # of a function\n";

#define TOOL pcprof
#define NAME why
#define OPTIONS "tools/pcprof/why_options.def"
#define ARGUMENTS PCPROF_SELECTION " [FUNCTION]"
#include "tools/command/command.inc"

/* The profile of time: the exact one if there is one. */
static uint32_t why_find_time(const struct profile *p)
{
    const uint32_t exact = profile_find_event(p, "cycles", PROFILE_EXACT);
    return exact != PROFILE_NO_EVENT ? exact : pcprof_find_event(p, "cycles");
}

/* Sets the function that a text names in one way of naming; returns the number of such functions. */
static size_t why_find_named(struct why *w, const char *name,
                             bool (*is_of)(const struct profile_symbol *s, const char *name))
{
    size_t count = 0;
    for (uint32_t image = 0; image < profile_images(w->profile); image++) {
        const struct profile_image *i = profile_image(w->profile, image);
        for (size_t n = 0; n < i->symbols; n++) {
            if (!is_of(&i->symbol[n], name))
                continue;
            w->function.image = image;
            w->function.symbol = &i->symbol[n];
            count++;
        }
    }
    return count;
}

/* The function of the instruction that gains the most, if that is a considerable share of the cycles. */
static void why_choose_by_gain(struct why *w)
{
    const struct pcprof_gain *most = w->gains.gain;
    if (w->gains.count == 0 || pcprof_gain_share(most) < 0.1)
        return;
    w->function.image = most->image;
    w->function.symbol = profile_find_symbol(profile_image(w->profile, most->image), most->address);
}

/* The function that is named, or the one with most to gain, or with most time. */
static enum status why_choose(struct why *w, const char *name, struct errmsg *err)
{
    struct why_function *f = &w->function;
    if (name != NULL) {
        size_t count = why_find_named(w, name, procedure_is_named);
        if (count == 0)
            count = why_find_named(w, name, procedure_is_shortened_to);
        if (count > 1)
            return fail(err, ST_INPUT,
                        "%s: %zu functions are called '%s': pcprof prof %s --full-names prints the names "
                        "that tell them apart",
                        w->input.text, count, name, w->input.text);
        return count == 1 ? ST_OK : no_procedure(w->input.text, w->profile, name, err);
    }
    w->is_chosen = true;
    why_choose_by_gain(w);
    for (size_t n = 0; n < w->rows && f->symbol == NULL; n++) {
        if (w->row[n].image == PROF_UNKNOWN)
            continue;
        f->image = w->row[n].image;
        f->symbol = profile_find_symbol(profile_image(w->profile, f->image), w->row[n].address);
    }
    if (f->symbol != NULL)
        return ST_OK;
    return fail(err, ST_INPUT, "%s: no function has samples of time: pcprof top shows instructions", w->input.text);
}

static enum status why_run(struct why *w, const struct why_arguments *o, struct errmsg *err)
{
    enum status st = store_load(w->input.store, &w->input.selection, STORE_ALL & ~STORE_EDGES, NULL, NULL, &w->profile,
                                err);
    if (st != ST_OK)
        return st;
    w->time = why_find_time(w->profile);
    if (w->time == PROFILE_NO_EVENT)
        return fail(err, ST_INPUT, "%s has no profile of time: pcemu --profile oracle makes one", w->input.text);
    w->prof = (struct prof){.profile = w->profile,
                            .by = PROF_BY_PROCEDURE,
                            .several_harts = prof_has_several_harts(&w->input),
                            .runs = w->input.contents.runs,
                            .columns = 1};
    w->prof.column[0] = (struct prof_column){.event = w->time, .exact = PROFILE_NO_EVENT};
    w->row = prof_rows(&w->prof, &w->rows);
    w->all = w->prof.column[0].estimate;
    if (!(w->all > 0))
        return fail(err, ST_INPUT, "%s: the profile of time has no cycles", w->input.text);
    st = pcprof_gains_load(&w->gains, &w->input, w->profile, NULL, err);
    if (st == ST_OK)
        st = why_find_shared(w, err);
    if (st == ST_OK)
        st = why_choose(w, o->function, err);
    if (st != ST_OK)
        return st;
    why_find(w);
    w->names = export_names(w->profile, o->full_names);
    struct report *r = report_new();
    why_report(w, r);
    st = command_write(&COMMAND_WHOLE_OUTPUT(o), r, err);
    report_free(r);
    return st;
}

static enum status why_command(const struct why_arguments *o, struct errmsg *err)
{
    struct why w = {.time = PROFILE_NO_EVENT};
    enum status st = pcprof_open(&w.input, o->input, err);
    if (st == ST_OK)
        st = why_run(&w, o, err);
    pcprof_gains_free(&w.gains);
    free(w.row);
    names_free(w.names);
    profile_free(w.profile);
    pcprof_close(&w.input);
    return st;
}

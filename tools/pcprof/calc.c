/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof calc: a procedure by instruction, as DCPI's dcpicalc (DCPI paper, section 3.2 and Figure 2). */
#include "tools/pcprof/calc.h"

#include <limits.h>
#include <string.h>

#include "tools/command/output.h"
#include "tools/pcprof/pcprof.h"

static const char doc[] =
    "Prints a procedure by instruction: samples, cycles per instruction (CPI), and above each instruction that stalls "
    "the possible causes with the largest number of cycles of each."
    "\vPROCEDURE is a name, IMAGE:NAME, or the address of an instruction, 0xADDRESS. docs/analysis.md describes how "
    "frequencies and causes are found. The tables have all rows, in address order; pcprof top prints the instructions "
    "with the largest counts of an event.";

static const char examples[] = "pcprof calc runs.db main              # cycles and stalls of each instruction\n"
                               "pcprof calc --event loads runs.db main\n";

#define TOOL pcprof
#define NAME calc
#define OPTIONS "tools/pcprof/calc_options.def"
#define ARGUMENTS PCPROF_SELECTION " PROCEDURE"
#include "tools/command/command.inc"

static enum status choose_events(struct calc *c, const struct option_list *asked, struct errmsg *err)
{
    for (unsigned n = 0; n < asked->count; n++) {
        c->event[n] = pcprof_find_event(c->from->profile, asked->text[n]);
        if (c->event[n] == PROFILE_NO_EVENT)
            return pcprof_no_event(&c->from->events, asked->text[n], err);
        c->events++;
    }
    return ST_OK;
}

static enum status calc_print(struct calc *c, const struct calc_arguments *o, struct errmsg *err)
{
    struct analysis *a = analysed_run(c->from, &c->procedure);
    struct report *r = report_new();
    analysis_summary_bound(&a->summary);
    c->analysis = a;
    c->image = &c->from->image[c->procedure.image];
    calc_report(c, r);
    enum status st = command_write(&COMMAND_WHOLE_OUTPUT(o), r, err);
    report_free(r);
    analysis_free(a);
    return st;
}

static enum status calc_command(const struct calc_arguments *o, struct errmsg *err)
{
    struct analysed from;
    const struct analysed_choice choice = {o->input, o->time, o->frequency, &o->event};
    struct calc c = {.from = &from};
    enum status st = analysed_open(&from, &choice, err);
    if (st == ST_OK)
        st = analysed_find(&from, o->procedure, &c.procedure, err);
    if (st == ST_OK)
        st = choose_events(&c, &o->event, err);
    if (st == ST_OK)
        st = calc_print(&c, o, err);
    analysed_close(&from);
    return st;
}

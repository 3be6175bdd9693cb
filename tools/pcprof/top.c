/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof top: the instructions with most of an event. */
#include <limits.h>
#include <stdlib.h>

#include "tools/command/output.h"
#include "tools/pcprof/input.h"
#include "tools/pcprof/pcprof.h"
#include "tools/pcprof/prof.h"

static const char doc[] =
    "Prints the instructions with the largest counts of an event, with procedure, source line and disassembly."
    "\vSTORE alone is its only epoch; STORE:EPOCH an epoch, STORE:RUN[-RUN][,...] runs. --top is their number.";

static const char examples[] = "pcprof top runs.db                    # instructions with most cycles\n"
                               "pcprof top --event loads --top 5 runs.db\n";

#define TOOL pcprof
#define NAME top
#define OPTIONS "tools/pcprof/top_options.def"
#define ARGUMENTS PCPROF_SELECTION
#include "tools/command/command.inc"

static enum status top_command(const struct top_arguments *o, struct errmsg *err)
{
    struct pcprof_input in;
    struct prof p = {.by = PROF_BY_INSTRUCTION, .cumulative = true, .disassembly = true};
    enum status st = pcprof_open(&in, o->input, err);
    if (st == ST_OK)
        st = prof_load(&p, &in, &o->event, STORE_SYMBOLS | STORE_LINES | STORE_CODE, err);
    if (st == ST_OK)
        st = prof_print(&p, &in, &COMMAND_OUTPUT(o), err);
    profile_free(p.profile);
    pcprof_close(&in);
    return st;
}

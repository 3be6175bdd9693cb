/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof top: the instructions with most of an event. */
#include <limits.h>
#include <stdlib.h>

#include "tools/pcprof/input.h"
#include "tools/pcprof/output.h"
#include "tools/pcprof/pcprof.h"
#include "tools/pcprof/prof.h"

static const char doc[] =
    "Prints the instructions with the largest counts of an event, with procedure, source line and disassembly."
    "\vSTORE alone is its only epoch; STORE:EPOCH an epoch, STORE:RUN[-RUN][,...] runs. --top is their number.";

struct top_options {
#define OPTION(...) OPTION_MEMBER(__VA_ARGS__)
#include "tools/pcprof/top_options.def"
};

static const struct option_row rows[] = {
#define OPTION(...) OPTION_ROW(struct top_options, __VA_ARGS__)
#include "tools/pcprof/top_options.def"
};

int pcprof_top(int argc, char **argv)
{
    static const struct option_syntax syntax = {rows, sizeof rows / sizeof rows[0],      PCPROF_SELECTION,
                                                doc,  "0, or 2 for bad usage or input.", NULL};
    struct top_options o = {0};
    struct pcprof_input in;
    struct errmsg err;
    option_parse(&syntax, &o, argc, argv);
    struct prof p = {.by = PROF_BY_INSTRUCTION, .cumulative = true, .disassembly = true};
    enum status st = pcprof_open(&in, o.input, &err);
    if (st == ST_OK)
        st = prof_load(&p, &in, &o.event, STORE_SYMBOLS | STORE_LINES | STORE_CODE, &err);
    if (st == ST_OK)
        st = prof_print(&p, &in, &PCPROF_OUTPUT(&o), &err);
    profile_free(p.profile);
    pcprof_close(&in);
    return st == ST_OK ? 0 : pcprof_fail(&err);
}

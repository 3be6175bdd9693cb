/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcsweep plan: a study, expanded into jobs. */
#include <stdio.h>

#include "base/options.h"
#include "tools/command/output.h"
#include "tools/pcsweep/pcsweep.h"

static const char doc[] = "Expands a study file into jobs, one run of pcemu each.";
static const char examples[] = "pcsweep plan study.conf               # which jobs a study has\n";

#define TOOL pcsweep
#define NAME plan
#define OPTIONS "tools/pcsweep/plan_options.def"
#define ARGUMENTS "STUDY"
#include "tools/command/command.inc"

static enum status plan_command(const struct plan_arguments *o, struct errmsg *err)
{
    return fail(err, ST_INPUT, "%s: no jobs", o->study);
}

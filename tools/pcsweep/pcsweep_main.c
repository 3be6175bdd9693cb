/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcsweep: studies of many runs of pcemu, a command each. */
#include <argp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/tool.h"
#include "base/version.h"
#include "host/report/json_value.h"
#include "tools/command/arguments.h"
#include "tools/command/commands.h"
#include "tools/pcsweep/pcsweep.h"

const char *argp_program_version = "pcsweep " TOOLS_VERSION;

static const struct command_row commands[] = {
#define COMMAND(name, help) {#name, pcsweep_##name, help},
#include "tools/pcsweep/commands.def"
};

static const char examples[] = "pcsweep plan study.conf -o study     # which jobs a study has\n"
                               "pcsweep run study --all              # run them\n"
                               "pcsweep table study                  # numbers of their reports\n"
                               "pcsweep help plan                    # what a command takes\n";

#define TOOL "pcsweep"
#define TOOL_DOC "Runs studies: many programs, configurations and seeds, one run of pcemu each."
#define TOOL_EXIT_STATUS "0, or 2 for bad usage or input."
#include "tools/command/main.inc"

int main(int argc, char **argv)
{
    tool_start("pcsweep");
    json_start();
    /* If it is ignored, as the caller may have left it, no process can be waited for. */
    (void)signal(SIGCHLD, SIG_DFL);
    return tool_run(argc, argv);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof: what can be done with profiles after the run, a command each. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/tool.h"
#include "base/version.h"
#include "host/report/json_value.h"
#include "tools/command/arguments.h"
#include "tools/command/commands.h"
#include "tools/pcprof/pcprof.h"

const char *argp_program_version = "pcprof " TOOLS_VERSION;

static const struct command_row commands[] = {
#define COMMAND(name, help) {#name, pcprof_##name, help},
#include "tools/pcprof/commands.def"
};

static const char examples[] = "pcprof why runs.db                   # where the time goes, and why\n"
                               "pcprof diff runs.db:1 runs.db:2      # what a change has changed\n"
                               "pcprof help prof                     # what a command takes\n";

#define TOOL "pcprof"
#define TOOL_DOC "Shows reports of pcemu, and profiles of many runs in profile stores."
#define TOOL_EXIT_STATUS "0, or 2 for bad usage or input."
#include "tools/command/main.inc"

int main(int argc, char **argv)
{
    tool_start("pcprof");
    json_start();
    return tool_run(argc, argv);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which part of the program the runs of a selection have measured. */
#include <stdlib.h>
#include <string.h>

#include "host/report/words.h"
#include "tools/pcprof/command_options.h"
#include "tools/pcprof/why.h"

/* Whether a run began with empty caches and predictors: those of a checkpoint are empty, and a part that is skipped
 * fills them with --warm alone. */
static bool why_began_cold(const struct store_run_info *run)
{
    const bool skips = command_options_have(run, "skip-insts") || command_options_have(run, "start-at");
    return (skips || command_options_have(run, "restore")) && !command_options_have(run, "warmup") &&
           !(skips && command_options_have(run, "warm"));
}

char *why_tell_stopped(const struct why *w)
{
    const struct store_contents *c = &w->input.contents;
    size_t stopped = 0;
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t n = 0; n < c->runs; n++) {
        const uint64_t instructions = c->run[n].instructions;
        if (!c->run[n].partial)
            continue;
        stopped++;
        least = instructions < least ? instructions : least;
        most = instructions > most ? instructions : most;
    }
    if (stopped == 0)
        return NULL;
    char from[REPORT_NUMBER], to[REPORT_NUMBER];
    char *which = stopped < c->runs ? xasprintf("%zu of %zu runs %s", stopped, c->runs, stopped == 1 ? "was" : "were")
                                    : xstrdup(stopped == 1 ? "The run was" : "The runs were");
    char *text = least == most ? xasprintf("%s stopped early, after %s instructions%s.", which,
                                           report_number(from, least), stopped > 1 ? " each" : "")
                               : xasprintf("%s stopped early, after %s to %s instructions.", which,
                                           report_number(from, least), report_number(to, most));
    free(which);
    return text;
}

char *why_tell_cold(const struct why *w)
{
    size_t cold = 0;
    for (size_t n = 0; n < w->input.contents.runs; n++)
        cold += why_began_cold(&w->input.contents.run[n]);
    return cold == 0 ? NULL
                     : xstrdup("Caches and predictors were empty where the measured part began, behind what "
                               "--skip-insts or --start-at skipped, or at the checkpoint of --restore: misses and "
                               "mispredictions can be those of its beginning (pcemu --warm with a part that is "
                               "skipped, or --warmup).");
}

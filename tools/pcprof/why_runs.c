/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which part of the program the runs of a selection have measured. */
#include <stdlib.h>
#include <string.h>

#include "host/report/words.h"
#include "tools/command/command_options.h"
#include "tools/pcprof/why.h"

/* Whether a run has a part that is skipped, which fills caches and predictors with --warm alone. */
static bool why_skips(const struct store_run_info *run)
{
    return command_options_have(run, "skip-insts") || command_options_have(run, "start-at");
}

static bool why_is_warmed(const struct store_run_info *run)
{
    return command_options_have(run, "warmup") || (why_skips(run) && command_options_have(run, "warm"));
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
    size_t cold = 0, restored = 0;
    for (size_t n = 0; n < w->input.contents.runs; n++) {
        const struct store_run_info *run = &w->input.contents.run[n];
        const bool restores = command_options_have(run, "restore");
        cold += why_skips(run) && !restores && !why_is_warmed(run);
        restored += restores && !why_is_warmed(run);
    }
    if (cold != 0)
        return xstrdup("Caches and predictors were empty where the measured part began, behind what --skip-insts or "
                       "--start-at skipped: misses and mispredictions can be those of its beginning (pcemu --warm with "
                       "a part that is skipped, or --warmup).");
    return restored == 0 ? NULL
                         : xstrdup("Unless the checkpoint of --restore was written with --warm, caches and predictors "
                                   "were empty where the measured part began: misses and mispredictions can be those "
                                   "of its beginning (pcemu --warm --checkpoint-at, or --warmup).");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which part of the program the runs of a selection have measured. */
#include <stdlib.h>
#include <string.h>

#include "host/report/words.h"
#include "tools/pcprof/why.h"

/* Whether a word of a command line is the option, perhaps with its argument, or an abbreviation of its name. */
static bool why_is_option(const char *word, size_t length, const char *option)
{
    enum { WHY_ABBREVIATION = 6 };
    const char *equals = memchr(word, '=', length);
    const size_t name = equals != NULL ? (size_t)(equals - word) : length;
    return name >= WHY_ABBREVIATION && strncmp(word, option, name) == 0;
}

/* Whether a run began behind a part that left caches and predictors empty: by the options before the guest's name. */
static bool why_began_cold(const struct store_run_info *run)
{
    bool skips = false;
    const char *word = run->command;
    for (size_t length; *(word += strspn(word, " ")) != '\0'; word += length) {
        length = strcspn(word, " ");
        if (strlen(run->guest) == length && strncmp(word, run->guest, length) == 0)
            break;
        if (why_is_option(word, length, "--warmup")) /* or --warm, its beginning */
            return false;
        skips |= why_is_option(word, length, "--skip-insts") || why_is_option(word, length, "--start-at");
    }
    return skips;
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
                               "--skip-insts or --start-at skipped: misses and mispredictions can be those of its "
                               "beginning (pcemu --warm).");
}

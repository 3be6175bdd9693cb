/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/family/time_confidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/interval.h"
#include "base/status.h"

struct time_ranked time_ranked(const struct time_profile *p)
{
    struct time_ranked k = {0};
    double total = (double)p->time;
    for (size_t i = 0; i < p->rows && total > 0; i++) {
        double share = (double)time_row_total(&p->row[i]) / total;
        if (p->row[i].pc == 0 || share * (double)p->samples < RANKED_SAMPLES)
            continue;
        k.instructions++;
        k.share += share;
    }
    return k;
}

/* A label without its option `seed`: "tip:random" for "tip:random:seed=3". Freed by the caller. */
static char *without_seed(const char *label)
{
    char *text = xstrdup(label), *seed = strstr(text, ":seed=");
    if (seed == NULL)
        return text;
    char *rest = strchr(seed + 1, ':');
    memmove(seed, rest != NULL ? rest : "", rest != NULL ? strlen(rest) + 1 : 1);
    return text;
}

/* The columns of one group: the `count` profiles whose numbers are in `member`. */
static void seeds_columns(struct report_table *t, const char *name, const unsigned *member, unsigned count,
                          double (*error)[TIME_LEVEL_COUNT])
{
    static const char *const level_name[] = {"instruction", "block", "function"};
    static const char *const level_title[] = {"mean error %: instruction", "basic block", "function"};
    struct interval interval[TIME_LEVEL_COUNT];
    REPORT_COLUMN(t, TEXT, name, .member = "profiler", .title = "over seeds");
    REPORT_COLUMN(t, COUNT, count, .member = "seeds", .title = "seeds", .unit = "profilers");
    for (int l = 0; l < TIME_LEVEL_COUNT; l++) {
        double sum = 0, squares = 0;
        for (unsigned i = 0; i < count; i++)
            sum += error[member[i]][l];
        double mean = sum / count;
        for (unsigned i = 0; i < count; i++)
            squares += (error[member[i]][l] - mean) * (error[member[i]][l] - mean);
        interval[l] = interval_of_mean(mean, sqrt(squares / (count - 1)), count);
        interval[l].low = fmax(0, interval[l].low);
        interval[l].high = fmin(1, interval[l].high);
        REPORT_COLUMN(t, SHARE, mean, .group = "error", .member = level_name[l], .title = level_title[l],
                      .decimals = 2);
    }
    for (int l = 0; l < TIME_LEVEL_COUNT; l++)
        REPORT_COLUMN(t, INTERVAL, interval[l], .group = "interval", .member = level_name[l]);
}

/* Finds the profiles whose labels differ from that of `first` only in the seed, and returns their number; 0 if an
 * earlier profile belongs to the group. */
static unsigned time_confidence_group_of(char **name, unsigned profiles, unsigned first, unsigned *member)
{
    unsigned count = 0;
    for (unsigned i = 0; i < profiles; i++) {
        if (strcmp(name[i], name[first]) != 0)
            continue;
        if (i < first)
            return 0;
        member[count++] = i;
    }
    return count;
}

void time_seeds_report(struct report *r, const struct time_profile *profile, unsigned profiles,
                       double (*error)[TIME_LEVEL_COUNT])
{
    char **name = xcalloc(profiles + 1, sizeof *name);
    unsigned *member = xcalloc(profiles + 1, sizeof *member);
    struct report_table *t = NULL;
    for (unsigned i = 0; i < profiles; i++)
        name[i] = without_seed(profile[i].label);
    for (unsigned i = 0; i < profiles && error != NULL; i++) {
        unsigned count = profile[i].exact ? 0 : time_confidence_group_of(name, profiles, i, member);
        if (count < 2)
            continue;
        if (t == NULL) {
            t = report_table(r, "seeds", NULL);
            report_whole(t);
            seeds_columns(t, name[i], member, count, error);
        }
        report_row(t);
        seeds_columns(t, name[i], member, count, error);
    }
    for (unsigned i = 0; i < profiles; i++)
        free(name[i]);
    free(name);
    free(member);
}

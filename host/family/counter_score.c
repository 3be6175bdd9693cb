/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of the samples of event counters with exact counts. */
#include "host/family/counter_score.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"
#include "host/family/count_score.h"

ORDER(counter_score_by_samples, struct counter_line, FALLING(samples) FALLING(exact) RISING(pc))

static uint64_t counter_score_sum_of(const struct count_profile *p, enum count_kind kind)
{
    return count_total(p).count[kind];
}

/* Merges the rows of both profiles, which are sorted by ascending pc. Without exact counts that profile has no rows. */
static void counter_score_merge(struct counter_lines *out, const struct count_profile *sampled,
                                const struct count_profile *exact, enum count_kind kind)
{
    size_t s = 0, x = 0;
    while (s < sampled->rows || x < exact->rows) {
        uint64_t sampled_pc = s < sampled->rows ? sampled->row[s].pc : UINT64_MAX;
        uint64_t exact_pc = x < exact->rows ? exact->row[x].pc : UINT64_MAX;
        struct counter_line line = {.pc = sampled_pc < exact_pc ? sampled_pc : exact_pc};
        if (s < sampled->rows && sampled_pc == line.pc)
            line.samples = sampled->row[s++].count[kind];
        if (x < exact->rows && exact_pc == line.pc)
            line.exact = exact->row[x++].count[kind];
        if (line.samples != 0 || line.exact != 0)
            out->line[out->lines++] = line;
    }
}

static struct counter_lines lines_of(const struct counter_event *e, const struct count_profile *sampled,
                                     const struct count_profile *exact)
{
    struct counter_lines out = {.line = xcalloc(sampled->rows + exact->rows + 1, sizeof *out.line),
                                .has_exact = count_has(exact, e->kind)};
    double samples = (double)counter_score_sum_of(sampled, e->kind),
           events = (double)counter_score_sum_of(exact, e->kind), right = 0;
    counter_score_merge(&out, sampled, exact, e->kind);
    for (size_t i = 0; i < out.lines; i++) {
        struct counter_line *line = &out.line[i];
        line->share = samples > 0 ? (double)line->samples / samples : 0;
        line->estimate = line->share * e->estimate;
        line->exact_share = events > 0 ? (double)line->exact / events : 0;
        right += fmin(line->share, line->exact_share);
    }
    out.error = samples > 0 && events > 0 ? 1 - right : NAN;
    qsort(out.line, out.lines, sizeof *out.line, counter_score_by_samples);
    return out;
}

/* The exact counts for the event; empty if there are none of its kind. */
static struct count_profile counter_score_exact_of(const struct counter_event *e, const struct count_profile *exact)
{
    return exact != NULL && count_has(exact, e->kind) ? *exact : (struct count_profile){.exact = true};
}

struct counter_lines counter_instructions(const struct counter_profile *p, const struct counter_event *e,
                                          const struct count_profile *exact)
{
    const struct count_profile sampled = {.row = p->row, .rows = p->rows}, truth = counter_score_exact_of(e, exact);
    return lines_of(e, &sampled, &truth);
}

struct counter_lines counter_functions(const struct counter_profile *p, const struct counter_event *e,
                                       const struct count_profile *exact, const struct symbols *symbols)
{
    struct count_profile sampled = {.row = p->row, .rows = p->rows}, truth = counter_score_exact_of(e, exact);
    struct count_row *samples = count_functions(&sampled, symbols, &sampled.rows);
    struct count_row *counts = count_functions(&truth, symbols, &truth.rows);
    sampled.row = samples;
    truth.row = counts;
    struct counter_lines out = lines_of(e, &sampled, &truth);
    free(samples);
    free(counts);
    return out;
}

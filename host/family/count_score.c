/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates from count profiles. */
#include "host/family/count_score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/status.h"
#include "host/family/row_find.h"

double count_estimate(const struct count_profile *p, const struct count_row *row, enum count_kind kind)
{
    return (double)row->count[kind] * count_scale(p, kind);
}

struct interval count_interval(const struct count_profile *p, const struct count_row *row, enum count_kind kind)
{
    if (p->exact || count_is_of_pairs(kind) || strcmp(count_unit(kind), "instructions") != 0)
        return (struct interval){0};
    return interval_of_thinned((double)row->count[kind], count_scale(p, kind));
}

double count_average(const struct count_row *row, enum count_kind latency, enum count_kind of)
{
    return row->count[of] != 0 ? (double)row->count[latency] / (double)row->count[of] : NAN;
}

static bool knows_pairs(const struct count_profile *p)
{
    return count_has(p, COUNT_USEFUL_ISSUES) && count_has(p, COUNT_IN_PROGRESS) && p->issue_width != 0;
}

double count_wasted(const struct count_profile *p, const struct count_row *row)
{
    if (!knows_pairs(p))
        return NAN;
    return count_estimate(p, row, COUNT_IN_PROGRESS) * p->issue_width - count_estimate(p, row, COUNT_USEFUL_ISSUES);
}

double count_ipc_near(const struct count_profile *p, const struct count_row *row)
{
    double retired = count_estimate(p, row, COUNT_RETIRED);
    if (!knows_pairs(p) || !(retired > 0))
        return NAN;
    return (1 + count_estimate(p, row, COUNT_RETIRED_NEAR) / retired) / (2 * COUNT_NEAR_CYCLES + 1);
}

double count_alongside(const struct count_profile *p, const struct count_row *row, enum profileme_phase own,
                       enum profileme_phase others)
{
    double cycles = count_estimate(p, row, count_phase_cycles(own));
    if (!count_has(p, count_together(own, others)) || !(cycles > 0))
        return NAN;
    return count_estimate(p, row, count_together(own, others)) / cycles;
}

const struct count_row *count_find(const struct count_profile *p, uint64_t pc)
{
    return row_find(p->row, p->rows, sizeof *p->row, pc);
}

static void count_score_add(struct count_row *sum, const struct count_row *row)
{
    sum->samples += row->samples;
    for (int k = 0; k < COUNT_KINDS; k++)
        sum->count[k] += row->count[k];
}

struct count_row count_total(const struct count_profile *p)
{
    struct count_row sum = {.pc = 0};
    for (size_t i = 0; i < p->rows; i++)
        count_score_add(&sum, &p->row[i]);
    return sum;
}

ORDER(by_pc, struct count_row, RISING(pc))

struct count_row *count_functions(const struct count_profile *p, const struct symbols *symbols, size_t *count)
{
    struct count_row *sum = xcalloc(1, sizeof *sum);
    size_t parts = 0;
    for (size_t i = 0; i < p->rows; i++) { /* neighbours are mostly of one function */
        struct symbols_place place = {0};
        if (symbols != NULL)
            place = symbols_find(symbols, p->row[i].pc);
        if (parts == 0 || sum[parts - 1].pc != place.start) {
            sum = xgrow(sum, parts, sizeof *sum);
            sum[parts++] = (struct count_row){.pc = place.start};
        }
        count_score_add(&sum[parts - 1], &p->row[i]);
    }
    qsort(sum, parts, sizeof *sum, by_pc);
    *count = 0;
    for (size_t i = 0; i < parts; i++)
        if (*count > 0 && sum[*count - 1].pc == sum[i].pc)
            count_score_add(&sum[*count - 1], &sum[i]);
        else
            sum[(*count)++] = sum[i];
    return sum;
}

size_t count_few(const struct count_profile *p)
{
    size_t few = 0;
    for (size_t i = 0; i < p->rows && !p->exact; i++)
        few += p->row[i].samples < RANKED_SAMPLES;
    return few;
}

struct count_envelope count_envelope(const struct count_profile *p, const struct count_profile *exact,
                                     enum count_kind kind)
{
    struct count_envelope e = {0};
    for (size_t i = 0; i < p->rows; i++) {
        const struct count_row *truth = count_find(exact, p->row[i].pc);
        double samples = (double)p->row[i].count[kind];
        if (truth == NULL || truth->count[kind] == 0 || samples < RANKED_SAMPLES)
            continue;
        double ratio = count_estimate(p, &p->row[i], kind) / (double)truth->count[kind];
        e.instructions++;
        e.inside += fabs(ratio - 1) <= 1 / sqrt(samples);
    }
    return e;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/family/pics_score.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/status.h"

struct component {
    uint64_t key;
    uint32_t signature;
    uint64_t time;
};

ORDER(pics_score_compare, struct component, RISING(key) RISING(signature))

/* The components by ascending key and signature, each pair once. The caller frees the array. */
static struct component *components(const struct pics_profile *p, enum time_level level, const struct time_blocks *b,
                                    const struct symbols *symbols, size_t *count)
{
    struct component *c = xmalloc((p->rows + 1) * sizeof *c);
    size_t n = 0;
    for (size_t i = 0; i < p->rows; i++)
        c[i] = (struct component){time_key(p->row[i].pc, level, b, symbols), p->row[i].signature,
                                  pics_row_total(&p->row[i])};
    qsort(c, p->rows, sizeof *c, pics_score_compare);
    for (size_t i = 0; i < p->rows; i++) {
        if (n > 0 && pics_score_compare(&c[n - 1], &c[i]) == 0)
            c[n - 1].time += c[i].time;
        else
            c[n++] = c[i];
    }
    *count = n;
    return c;
}

double pics_error(const struct pics_profile *p, const struct pics_profile *reference, enum time_level level,
                  const struct time_blocks *b, const struct symbols *symbols)
{
    size_t n, m;
    if (p->time == 0 || reference->time == 0)
        return reference->time != p->time;
    struct component *have = components(p, level, b, symbols, &n), *want = components(reference, level, b, symbols, &m);
    double right = 0;
    for (size_t i = 0, j = 0; i < n && j < m;) {
        int order = pics_score_compare(&have[i], &want[j]);
        if (order == 0) {
            double share = (double)have[i].time / (double)p->time;
            double exact = (double)want[j].time / (double)reference->time;
            right += share < exact ? share : exact;
        }
        i += order <= 0;
        j += order >= 0;
    }
    free(have);
    free(want);
    return right < 1 ? 1 - right : 0;
}

struct time_profile pics_time(const struct pics_profile *p)
{
    struct time_row *rows = xcalloc(p->rows + 1, sizeof *rows);
    size_t n = 0;
    for (size_t i = 0; i < p->rows; i++) {
        if (n == 0 || rows[n - 1].pc != p->row[i].pc)
            rows[n++].pc = p->row[i].pc;
        for (int c = 0; c < TIME_CATEGORY_COUNT; c++)
            rows[n - 1].time[c] += p->row[i].time[c];
    }
    return (struct time_profile){.label = p->label,
                                 .exact = p->exact,
                                 .by_category = true,
                                 .samples = p->samples,
                                 .time = p->time,
                                 .row = rows,
                                 .rows = n};
}

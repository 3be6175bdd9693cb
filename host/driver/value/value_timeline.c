/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline of a value profile. */
#include "host/driver/value/value_timeline.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"
#include "host/driver/value/value_score.h"
#include "isa/sample.h"

/* Minimum share of a stored value. */
#define CLAIM_MIN 0.005f

/* An estimate: the share of a load's executions with a value. */
struct value_claim {
    uint32_t pc32;
    float share;
    uint64_t value;
    bool whole; /* a 64-bit value; if false, any value with this low half */
};

ORDER(compare_claims, struct value_claim, RISING(pc32) RISING(value))

void value_timeline_fini(struct value_timeline *t)
{
    for (unsigned i = 0; i < t->count; i++)
        free(t->moment[i].claims);
}

struct claim_list {
    struct value_claim *list;
    unsigned count, room;
};

static void add_claim(struct claim_list *c, const struct value_load *l, unsigned v, uint64_t value, bool whole)
{
    float share = (float)value_estimate_whole(l, v, value);
    if (share < CLAIM_MIN)
        return;
    if (c->count == c->room) {
        c->room = c->room ? 2 * c->room : 256;
        c->list = xrealloc(c->list, c->room * sizeof *c->list);
    }
    c->list[c->count++] = (struct value_claim){.pc32 = l->pc32, .share = share, .value = value, .whole = whole};
}

static void value_timeline_add_load(struct claim_list *c, const struct value_load *l)
{
    for (unsigned v = 0; v < l->value_count; v++) {
        const struct value_set *highs = &l->values[v].highs;
        if (highs->count == 0)
            add_claim(c, l, v, l->values[v].value, false);
        for (unsigned h = 0; h < highs->count; h++)
            add_claim(c, l, v, (uint64_t)highs->list[h].value << 32 | l->values[v].value, true);
    }
}

static void value_timeline_thin(struct value_timeline *t)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < t->count; i++) {
        if (i % 2 == 0)
            free(t->moment[i].claims);
        else
            t->moment[kept++] = t->moment[i];
    }
    t->count = kept;
    t->spacing = t->moment[kept - 1].cycle / kept;
}

void value_timeline_add(struct value_timeline *t, const struct value_profile *p, const struct host_account *account,
                        uint64_t cycle, bool end)
{
    if (!end && t->count > 0 && cycle - t->moment[t->count - 1].cycle < t->spacing)
        return;
    if (t->count == TIMELINE_MOMENTS)
        value_timeline_thin(t);
    struct claim_list claims = {0};
    for (const struct value_load *l = p->loads; l != NULL; l = l->hh.next)
        value_timeline_add_load(&claims, l);
    if (claims.count > 0)
        qsort(claims.list, claims.count, sizeof *claims.list, compare_claims);
    t->moment[t->count++] = (struct value_moment){.cycle = cycle,
                                                  .services = account->services,
                                                  .handler_cycles = host_account_cycles(account),
                                                  .masked = p->masked,
                                                  .claims = claims.list,
                                                  .claim_count = claims.count};
}

struct value_timeline_scoring {
    const struct value_timeline *timeline;
    double weight, squares[TIMELINE_MOMENTS];
};

/* The estimate for a 64-bit value at a point of the run. */
static double claimed(const struct value_moment *m, uint32_t pc32, uint64_t value)
{
    unsigned first = 0, end = m->claim_count;
    SEARCH(first, end, middle, m->claims[middle].pc32 < pc32);
    for (const struct value_claim *c = &m->claims[first]; first < m->claim_count && c->pc32 == pc32; first++, c++)
        if (c->value == (c->whole ? value : (uint32_t)value))
            return (double)c->share;
    return 0;
}

static void value_timeline_score_load(void *arg, const struct truth_load *t)
{
    struct value_timeline_scoring *s = arg;
    for (uint32_t v = 0; v < t->value_count && t->values[v].count >= SCORE_MIN_COUNT; v++) {
        const struct truth_value *value = &t->values[v];
        if (!value_counts(t, value))
            continue;
        double weight = (double)value->count, exact = weight / (double)t->count;
        s->weight += weight;
        for (unsigned i = 0; i < s->timeline->count; i++) {
            double error = claimed(&s->timeline->moment[i], sample_pc32(t->pc), value->value) - exact;
            s->squares[i] += weight * error * error;
        }
    }
}

static void moment_columns(struct report_table *t, const struct value_moment *m, double error)
{
    REPORT_COLUMN(t, COUNT, m->cycle, .member = "cycle", .unit = "cycles");
    REPORT_COLUMN(t, COUNT, m->services, .member = "interrupts", .unit = "interrupts");
    REPORT_COLUMN(t, COUNT, m->handler_cycles, .member = "handler_cycles", .unit = "cycles");
    REPORT_COLUMN(t, COUNT, m->masked, .member = "loads_masked", .unit = "loads");
    REPORT_COLUMN(t, SHARE, error, .member = "rms_error");
}

void value_timeline_report(const struct value_timeline *t, const struct truth *truth, struct report *r)
{
    struct value_timeline_scoring s = {.timeline = t};
    struct report_table *table = report_table(r, "timeline", NULL);
    moment_columns(table, &(struct value_moment){0}, 0);
    truth->loads(truth->ctx, value_timeline_score_load, &s);
    for (unsigned i = 0; i < t->count; i++) {
        report_row(table);
        moment_columns(table, &t->moment[i], s.weight > 0 ? sqrt(s.squares[i] / s.weight) : (double)NAN);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/analysis/from_profile.h"

#include <math.h>

struct code_graph *from_profile_graph(const struct profile_image *image, const struct code *code)
{
    struct code_graph *g = code_graph_new(code);
    for (size_t i = 0; i < image->codes; i++)
        code_graph_add_range(g, image->code[i].start, image->code[i].start + image->code[i].size_bytes);
    for (size_t i = 0; i < image->symbols; i++)
        code_graph_add_entry(g, image->symbol[i].start);
    code_graph_resolve(g);
    code_graph_build(g);
    return g;
}

/* Value of an event at an address, as an estimate of events or cycles. */
static double from_profile_estimate(const struct from_profile *s, uint32_t event, uint64_t pc)
{
    return profile_value(s->profile, event, s->image, pc) * profile_event(s->profile, event)->scale;
}

static double period_of(const struct from_profile *s)
{
    double period = profile_event(s->profile, s->time)->period;
    return period > 0 ? period : 1;
}

static double from_profile_cycles_at(void *ctx, uint64_t pc)
{
    const struct from_profile *s = ctx;
    return from_profile_estimate(s, s->time, pc) / period_of(s);
}

static double executions_at(void *ctx, uint64_t pc)
{
    const struct from_profile *s = ctx;
    return from_profile_estimate(s, s->executions, pc);
}

static double events_at(void *ctx, enum analysis_event event, uint64_t pc)
{
    const struct from_profile *s = ctx;
    return s->event[event] != PROFILE_NO_EVENT ? from_profile_estimate(s, s->event[event], pc) : NAN;
}

/* The first of these sources that the profile has for the event. */
static uint32_t from_profile_find(const struct profile *p, const char *name, const enum profile_source *source,
                                  int sources)
{
    uint32_t event = PROFILE_NO_EVENT;
    for (int i = 0; i < sources && event == PROFILE_NO_EVENT; i++)
        event = profile_find_event(p, name, source[i]);
    return event;
}

static void from_profile_find_events(struct from_profile *s, const struct profile *p)
{
    static const enum profile_source of_insns[] = {PROFILE_EXACT, PROFILE_COUNTS},
                                     of_fetch[] = {PROFILE_EXACT, PROFILE_COUNTER};
    s->event[ANALYSIS_IMISS] = from_profile_find(p, "icache-miss", of_fetch, 2);
    s->event[ANALYSIS_ITLB_MISS] = from_profile_find(p, "itlb-miss", of_fetch, 2);
    s->event[ANALYSIS_DMISS] = from_profile_find(p, "dcache-miss", of_insns, 2);
    s->event[ANALYSIS_DTLB_MISS] = from_profile_find(p, "dtlb-miss", of_insns, 2);
    s->event[ANALYSIS_MISPREDICTED] = from_profile_find(p, "mispredicted", of_insns, 2);
}

void from_profile_use(struct from_profile *s, const struct profile *p, uint32_t image, uint32_t time,
                      uint32_t executions, struct analysis_samples *out)
{
    *s = (struct from_profile){.profile = p, .image = image, .time = time, .executions = executions};
    from_profile_find_events(s, p);
    bool has_counts = executions != PROFILE_NO_EVENT;
    *out = (struct analysis_samples){.ctx = s,
                                     .cycles = from_profile_cycles_at,
                                     .period = period_of(s),
                                     .executions = has_counts ? executions_at : NULL,
                                     .exact = has_counts && profile_event(p, executions)->source == PROFILE_EXACT,
                                     .events = events_at};
}

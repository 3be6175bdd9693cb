/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions shared by all time profilers: options, sampling schedule, resulting profile. Entry points: profiler.h. */
#include "core-model/prof/time/profiler.h"

#include <stdlib.h>

/* The profilers' options end at SAMPLINGS; only the sampler has the ones after it. */
enum sampling_option { SAMPLING_PERIOD, SAMPLING_RANDOM, SAMPLING_SEED, SAMPLINGS, SAMPLING_EVENTS };

/* The rows of the co-processor's sampler tip. */
#define ROW_TIP(sym, text, per, low, high, value) \
    [SAMPLING_##sym] = {.name = text, .unit = per, .least = low, .most = high, .otherwise = value},
#define ROW_PROFILEME(...)
#define SAMPLER_OPTION(of, sym, text, per, low, high, value, ...) ROW_##of(sym, text, per, low, high, value)
const struct text_option profiler_sampling[] = {
#include "isa/sampler.def"
    [SAMPLINGS] = {.name = NULL},
};
#undef ROW_PROFILEME
#undef ROW_TIP

struct observer *profiler_create(const struct observer_kind *kind, const struct observer_setup *setup,
                                 void (*start)(struct profiler *p))
{
    struct profiler *p = xcalloc(1, sizeof *p);
    bool sampled = kind->options != NULL;
    p->base.kind = kind;
    p->base.probe.ctx = p;
    time_map_init(&p->map);
    schedule_init(&p->schedule, sampled ? setup->option[SAMPLING_PERIOD] : 1, setup->option[SAMPLING_RANDOM] != 0,
                  setup->option[SAMPLING_SEED]);
    p->tag_from = p->schedule.next;
    start(p);
    return &p->base;
}

/* Starts the measurement; a warm-up may precede. */
void profiler_attach(struct observer *o, struct core *core)
{
    struct profiler *p = (struct profiler *)o;
    schedule_start_at(&p->schedule, core_clock(core));
    p->token_from = p->tag_from = p->schedule.next;
}

static const struct rv_insn *profiler_find_insn(void *hart, uint64_t pc)
{
    enum rv_trap trap;
    return hart != NULL ? rv_fetch(hart, pc, &trap) : NULL;
}

void profiler_finish(struct observer *o, struct hart *hart, bool exact, bool by_category)
{
    struct profiler *p = (struct profiler *)o;
    struct time_profile *out = &p->profile;
    if (p->finish != NULL)
        p->finish(p);
    free((void *)out->row);
    *out = (struct time_profile){.label = o->label != NULL ? o->label : o->kind->name,
                                 .exact = exact,
                                 .by_category = by_category,
                                 .period = p->schedule.period,
                                 .samples = p->samples,
                                 .lost = p->lost};
    out->row = time_map_rows(&p->map, profiler_find_insn, hart, &out->rows);
    for (size_t r = 0; r < out->rows; r++)
        out->time += time_row_total(&out->row[r]);
    time_map_fini(&p->map); /* the rows have what it had */
    time_map_init(&p->map);
}

const struct time_profile *profiler_time(const struct observer *o) { return &((const struct profiler *)o)->profile; }

void profiler_release(struct observer *o)
{
    struct profiler *p = (struct profiler *)o;
    free((void *)p->profile.row);
    time_map_fini(&p->map);
    free(p->state);
    free(p);
}

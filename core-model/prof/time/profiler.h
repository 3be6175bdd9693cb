/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interface for the implementation of time profilers. A time profiler is an observer that attributes cycles to
 * instructions, as a function of the probe stream alone. PROFILER(symbol, name, options, start, by_category, help)
 * defines its kind. The start function fills the subscriptions, base.probe, and if needed state and finish;
 * base.probe.ctx, map and schedule are set before. */
#ifndef CORE_MODEL_PROF_PROFILER_H
#define CORE_MODEL_PROF_PROFILER_H

#include "core-model/probe/probe.h"
#include "core-model/prof/observer.h"
#include "core-model/prof/time/schedule.h"
#include "core-model/prof/time/time_map.h"

struct profiler {
    struct observer base;
    struct schedule schedule;
    uint64_t token_from;                /* profilers that sample tokens: see struct probe_listener */
    uint64_t tag_from;                  /* profilers that tag: see from_cycle of struct probe_tagger */
    void *state;                        /* owned; freed with free() */
    void (*finish)(struct profiler *p); /* called at the end of the run; may be NULL */
    uint64_t samples, lost;
    struct time_map map;
    struct time_profile profile; /* valid after finish */
};

/* Subscribes to tokens from the next trigger on; `token` moves token_from. */
static inline void profiler_on_samples(struct profiler *p, void (*token)(void *ctx, const struct probe_token *t))
{
    p->base.probe.token = token;
    p->base.probe.token_from = &p->token_from;
    p->token_from = p->schedule.next;
}

/* period=N, random, seed=N */
extern const struct text_option profiler_sampling[];

/* Used only by PROFILER. */
struct observer *profiler_create(const struct observer_kind *kind, const struct observer_setup *setup,
                                 void (*start)(struct profiler *p));
void profiler_attach(struct observer *o, struct core *core);
void profiler_finish(struct observer *o, struct hart *hart, bool exact, bool by_category);
const struct time_profile *profiler_time(const struct observer *o);
void profiler_release(struct observer *o);

/* Defines observer_SYMBOL. A profiler that takes samples has the options profiler_sampling, an exact one none (NULL).
 * by_category: it classifies time by category. */
#define PROFILER(symbol, text, sampling, start, categories, meaning)                                              \
    static struct observer *create_##symbol(const struct observer_kind *kind, const struct observer_setup *setup) \
    {                                                                                                             \
        return profiler_create(kind, setup, start);                                                               \
    }                                                                                                             \
    static void finish_##symbol(struct observer *o, uint64_t cycles, struct hart *hart)                           \
    {                                                                                                             \
        (void)cycles;                                                                                             \
        profiler_finish(o, hart, (sampling) == NULL, categories);                                                 \
    }                                                                                                             \
    const struct observer_kind observer_##symbol = {                                                              \
        .name = text,                                                                                             \
        .help = meaning,                                                                                          \
        .options = sampling,                                                                                      \
        .create = create_##symbol,                                                                                \
        .attach = profiler_attach,                                                                                \
        .finish = finish_##symbol,                                                                                \
        .time = profiler_time,                                                                                    \
        .release = profiler_release,                                                                              \
    };

/* Returns whether the next instruction to enter the empty ROB is known. */
static inline bool token_is_at_dispatch(const struct probe_token *t) { return t->dispatching || t->blocked; }

/* Returns whether commit is empty in this cycle. In the cycle in which an instruction enters the empty ROB, commit is
 * stalled on that instruction (TIP paper, Figure 4, cycle 6 of example c). The same applies to an instruction that
 * cannot enter the ROB because the store queue is full. */
static inline bool token_is_empty(const struct probe_token *t) { return t->rob_empty && !token_is_at_dispatch(t); }

/* Address of the oldest instruction or, if the ROB is empty, of the next one to enter it. */
static inline uint64_t token_head_pc(const struct probe_token *t)
{
    return t->rob_empty ? t->dispatch_pc : t->bank[t->head].pc;
}

/* Share of a cycle for each committing instruction, by their number: a table, because a division would dominate the
 * cost. */
static const uint16_t time_parts[PROBE_MAX_BANKS + 1] = {0, 840, 420, 280, 210, 168, 140, 120, 105};
_Static_assert(TIME_PER_CYCLE == 840 && PROBE_MAX_BANKS == 8, "the table is of these");

/* Attributes the time to the committing instructions in equal shares. */
static inline void token_share(struct time_map *m, const struct probe_token *t, uint64_t cycles)
{
    uint64_t part = cycles * time_parts[t->committing];
    const struct pc_page *page = &pc_no_page;
    unsigned b = t->head;
    for (unsigned n = 0; n < t->committing; n++) {
        uint32_t at = time_map_find(m, t->bank[b].pc, &page);
        m->time[STATE_COMPUTING][at] += part;
        b = b + 1 == t->banks ? 0 : b + 1;
    }
}

#endif

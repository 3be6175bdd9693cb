/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When samples are taken: the performance counter that all sampling profilers have in common. Two with the same
 * settings select the same cycles. A trigger stands for all cycles since the one before it (TIP paper, section 4). */
#ifndef CORE_MODEL_PROF_SCHEDULE_H
#define CORE_MODEL_PROF_SCHEDULE_H

#include "isa/support/random.h"

struct schedule {
    uint64_t period;       /* cycles */
    bool random;           /* one trigger somewhere in each period, instead of one at the end of each */
    struct random numbers; /* that place it there */
    uint64_t period_start;
    uint64_t last; /* first cycle that no trigger has stood for yet */
    uint64_t next; /* cycle of the next trigger */
};

static inline void schedule_place(struct schedule *s)
{
    s->next = s->period_start + (s->random ? random_bits(&s->numbers) % s->period : s->period - 1);
}

static inline void schedule_init(struct schedule *s, uint64_t period, bool random, uint64_t seed)
{
    *s = (struct schedule){.period = period, .random = random, .numbers = {.state = seed}};
    schedule_place(s);
}

/* The first cycle is not 0 but `cycle`. Before the first trigger is taken. */
static inline void schedule_start_at(struct schedule *s, uint64_t cycle)
{
    s->next += cycle - s->period_start;
    s->period_start = s->last = cycle;
}

/* Is there a trigger before cycle `end`? */
static inline bool schedule_due(const struct schedule *s, uint64_t end) { return s->next < end; }

/* Takes the trigger: the number of cycles that it stands for. */
static inline uint64_t schedule_take(struct schedule *s)
{
    uint64_t cycles = s->next + 1 - s->last;
    s->last = s->next + 1;
    s->period_start += s->period;
    schedule_place(s);
    return cycles;
}

#endif

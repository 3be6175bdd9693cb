/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampling schedule: the performance counter used by all sampling profilers. Profilers with equal settings select the
 * same cycles. A trigger represents all cycles since the previous one (TIP paper, section 4). */
#ifndef CORE_MODEL_PROF_SCHEDULE_H
#define CORE_MODEL_PROF_SCHEDULE_H

#include "isa/support/random.h"

struct schedule {
    uint64_t period;       /* period in cycles */
    bool random;           /* one trigger at a random cycle of each period, instead of at its end */
    struct random numbers; /* random source */
    uint64_t period_start;
    uint64_t last; /* first cycle not yet represented by a trigger */
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

/* Sets the first cycle, by default 0. To be called before the first trigger is taken. */
static inline void schedule_start_at(struct schedule *s, uint64_t cycle)
{
    s->next += cycle - s->period_start;
    s->period_start = s->last = cycle;
}

/* Returns whether a trigger occurs before cycle `end`. */
static inline bool schedule_due(const struct schedule *s, uint64_t end) { return s->next < end; }

/* Takes the trigger; returns the number of cycles that it represents. */
static inline uint64_t schedule_take(struct schedule *s)
{
    uint64_t cycles = s->next + 1 - s->last;
    s->last = s->next + 1;
    s->period_start += s->period;
    schedule_place(s);
    return cycles;
}

/* Takes all triggers before cycle `end`, however many, in constant time. Returns the number of cycles that they
 * represent, and adds their number to *triggers. */
static inline uint64_t schedule_take_until(struct schedule *s, uint64_t end, uint64_t *triggers)
{
    uint64_t cycles = 0, periods = schedule_due(s, end) ? (end - s->period_start) / s->period : 0;
    if (periods > 1) { /* that many periods end before `end`: all but the last of these are skipped */
        s->period_start += (periods - 1) * s->period;
        if (s->random)
            random_skip(&s->numbers, periods - 2);
        schedule_place(s);
        *triggers += periods - 1;
    }
    for (; schedule_due(s, end); ++*triggers)
        cycles += schedule_take(s);
    return cycles;
}

#endif

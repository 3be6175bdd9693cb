/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampling schedule: the performance counter used by all sampling profilers. Profilers with equal settings select the
 * same cycles. There is one trigger in each period. It represents a period: then the expected time of an instruction is
 * its time, also in the first period and in the last one, which may end before its trigger. At random cycles the
 * distance from the trigger before is another number each time, and would add its variance to the profile's. */
#ifndef CORE_MODEL_PROF_SCHEDULE_H
#define CORE_MODEL_PROF_SCHEDULE_H

#include "base/random.h"

struct schedule {
    uint64_t period;       /* period in cycles */
    bool random;           /* one trigger at a random cycle of each period, instead of at its end */
    struct random numbers; /* random source */
    uint64_t period_start;
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
    s->period_start = cycle;
}

/* Returns whether a trigger occurs before cycle `end`. */
static inline bool schedule_due(const struct schedule *s, uint64_t end) { return s->next < end; }

/* Takes the trigger; returns the number of cycles that it represents. */
static inline uint64_t schedule_take(struct schedule *s)
{
    s->period_start += s->period;
    schedule_place(s);
    return s->period;
}

/* Takes all triggers before cycle `end`, however many, in constant time. Returns the number of cycles that they
 * represent, and adds their number to *triggers. */
static inline uint64_t schedule_take_until(struct schedule *s, uint64_t end, uint64_t *triggers)
{
    uint64_t taken = 0, periods = schedule_due(s, end) ? (end - s->period_start) / s->period : 0;
    if (periods > 1) { /* that many periods end before `end`: all but the last of these are skipped */
        s->period_start += (periods - 1) * s->period;
        if (s->random)
            random_skip(&s->numbers, periods - 2);
        schedule_place(s);
        taken = periods - 1;
    }
    for (; schedule_due(s, end); taken++)
        (void)schedule_take(s);
    *triggers += taken;
    return taken * s->period;
}

#endif

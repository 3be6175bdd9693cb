/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When samples are taken: the performance counter that all sampling profilers have in common. Two with the same settings select the same
 * cycles. A trigger stands for all cycles since the one before it (TIP paper, section 4). */
#ifndef CORE_MODEL_PROF_SCHEDULE_H
#define CORE_MODEL_PROF_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

struct schedule {
    uint64_t period;      /* cycles */
    bool random;          /* one trigger somewhere in each period, instead of one at the end of each */
    uint64_t state;       /* of the random numbers; the seed at first */
    uint64_t period_start;
    uint64_t last;        /* first cycle that no trigger has stood for yet */
    uint64_t next;        /* cycle of the next trigger */
};

static inline uint64_t schedule_draw(struct schedule *s)
{
    s->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = s->state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline void schedule_place(struct schedule *s)
{
    s->next = s->period_start + (s->random ? schedule_draw(s) % s->period : s->period - 1);
}

static inline void schedule_init(struct schedule *s, uint64_t period, bool random, uint64_t seed)
{
    *s = (struct schedule){.period = period, .random = random, .state = seed};
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

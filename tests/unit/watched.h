/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A guest run to its end under the lock-step check, the oracle and a TIP that samples every cycle, which must agree;
 * what the tokens and the stages of single instructions said; and a sampler at dispatch beside them. */
#ifndef TESTS_UNIT_WATCHED_H
#define TESTS_UNIT_WATCHED_H

#include "core-model/prof/log/lockstep.h"
#include "core-model/prof/observers.h"
#include "tests/unit/pipe_guest.h"

enum { WATCHED_WORDS = 256, WATCHED_EXCEPTIONS = 8 };

struct watched {
    struct guest guest;
    struct core *core;
    struct lockstep *check;
    struct observers *set;
    const struct time_result *result;
    uint64_t pc[WATCHED_EXCEPTIONS]; /* of the exceptions */
    bool ordering[WATCHED_EXCEPTIONS];
    unsigned exceptions;
    uint64_t handler_cycles, blocked_cycles, flushing;      /* flushing: instructions that flush as they commit */
    uint64_t mapped[WATCHED_WORDS], retired[WATCHED_WORDS]; /* cycles of the last time, by word of the program */
};

static inline void watched_token(void *ctx, const struct probe_token *t)
{
    struct watched *w = ctx;
    w->handler_cycles += t->handler ? t->repeat : 0;
    w->blocked_cycles += t->blocked ? t->repeat : 0;
    for (unsigned b = 0; b < t->banks; b++)
        w->flushing += t->bank[b].commits && t->bank[b].flushes;
    if (t->exception && w->exceptions < WATCHED_EXCEPTIONS) {
        w->pc[w->exceptions] = t->exception_pc;
        w->ordering[w->exceptions] = t->ordering;
    }
    w->exceptions += t->exception;
}

static inline void watched_mapped(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    if ((in->pc - CODE_START) / 4 < WATCHED_WORDS)
        ((struct watched *)ctx)->mapped[(in->pc - CODE_START) / 4] = cycle;
}
static inline void watched_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    if ((in->pc - CODE_START) / 4 < WATCHED_WORDS)
        ((struct watched *)ctx)->retired[(in->pc - CODE_START) / 4] = cycle;
}

/* Ready to run: the test may attach more. */
static inline void watched_open(struct watched *w, const struct program *p, const struct core_config *cfg)
{
    struct errmsg err;
    *w = (struct watched){0};
    guest_of(&w->guest, p);
    w->core = core_new(cfg, &w->guest);
    w->check = lockstep_new(w->core, &w->guest);
    struct probe_listener look = {.ctx = w, .token = watched_token};
    look.stage[PROBE_MAPPED] = watched_mapped;
    look.stage[PROBE_RETIRED] = watched_retired;
    w->set = observers_new();
    observers_add(w->set, lockstep_observer(w->check));
    ck_assert_int_eq(observers_create(w->set, "oracle,tip:period=1,dispatch:period=3", 1, &err), ST_OK);
    core_subscribe(w->core, &look);
    observers_attach(w->set, w->core);
}

static inline void watched_finish(struct watched *w)
{
    ck_assert_int_eq(core_run(w->core, UINT64_MAX), RV_TRAP_NONE);
    observers_finish(w->set, core_cycle(w->core), &w->guest.hart);
    w->result = observers_time(w->set);
    const struct time_profile *oracle = &w->result->profile[0], *tip = &w->result->profile[1];
    ck_assert_uint_eq(oracle->time, core_cycle(w->core) * TIME_PER_CYCLE);
    ck_assert_uint_eq(oracle->rows, tip->rows);
    for (size_t r = 0; r < oracle->rows; r++)
        ck_assert_mem_eq(&oracle->row[r], &tip->row[r], sizeof oracle->row[r]);
}

static inline void watched_run(struct watched *w, const struct program *p, const struct core_config *cfg)
{
    watched_open(w, p, cfg);
    watched_finish(w);
}

static inline void watched_fini(struct watched *w)
{
    observers_free(w->set);
    core_free(w->core);
    guest_fini(&w->guest);
}

/* The oracle's cycles of one category for an address. */
static inline double watched_time(const struct watched *w, uint64_t pc, enum time_category c)
{
    const struct time_profile *p = &w->result->profile[0];
    for (size_t r = 0; r < p->rows; r++)
        if (p->row[r].pc == pc)
            return (double)p->row[r].time[c] / TIME_PER_CYCLE;
    return 0;
}

#endif

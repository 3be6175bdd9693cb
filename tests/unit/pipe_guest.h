/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small guest run to its end under an observer that keeps the stage cycles of every instruction and checks the core's
 * invariants and the stream's own rules as it goes. */
#ifndef TESTS_UNIT_PIPE_GUEST_H
#define TESTS_UNIT_PIPE_GUEST_H

#include "tests/unit/guest_core.h"

enum { TRACE_MIN = 1 << 10, TRACE_MAX = 1 << 19 };

/* Fate of one fetched instruction. */
struct life {
    uint64_t pc, at[PROBE_STAGE_COUNT], ea;
    uint32_t events;
    uint8_t cause, endings;
};

struct trace {
    struct core *core;
    struct life *life; /* by seq; grows with them */
    uint64_t lives;
    uint64_t last_seq, cycles, commits, empty_cycles, exceptions, max_in_flight, in_flight;
    uint64_t last_retired_seq, next_cycle;
};

static inline void trace_stage(struct trace *t, const struct probe_insn *in, enum probe_stage stage, uint64_t cycle)
{
    if (in->seq >= TRACE_MAX)
        return;
    struct life *l = &t->life[in->seq];
    l->pc = in->pc;
    l->ea = in->outcome->ea;
    l->events = in->events;
    l->cause = in->cause;
    MUST(l->at[stage] == 0);
    MUST(in->stage_cycle[stage] == cycle);
    l->at[stage] = cycle;
    /* Stages come in their order; an instruction that skips one was squashed before it. */
    for (int s = 0; s < (int)stage; s++)
        MUST(l->at[s] <= cycle);
}
#define TRACE_STAGE(name, stage)                                                            \
    static inline void trace_##name(void *ctx, const struct probe_insn *in, uint64_t cycle) \
    {                                                                                       \
        trace_stage(ctx, in, stage, cycle);                                                 \
    }
TRACE_STAGE(ready, PROBE_DATA_READY)
TRACE_STAGE(issued, PROBE_ISSUED)
TRACE_STAGE(loaded, PROBE_LOAD_COMPLETED)
TRACE_STAGE(done, PROBE_READY_TO_RETIRE)

static inline void trace_fetched(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct trace *t = ctx;
    MUST(in->seq == t->last_seq + 1);
    t->last_seq = in->seq;
    while (in->seq >= t->lives && t->lives < TRACE_MAX) {
        t->life = xrealloc(t->life, 2 * t->lives * sizeof *t->life);
        memset(t->life + t->lives, 0, t->lives * sizeof *t->life);
        t->lives *= 2;
    }
    trace_stage(t, in, PROBE_FETCHED, cycle);
}
static inline void trace_mapped(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct trace *t = ctx;
    if (++t->in_flight > t->max_in_flight)
        t->max_in_flight = t->in_flight;
    trace_stage(t, in, PROBE_MAPPED, cycle);
}
static inline void trace_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct trace *t = ctx;
    MUST(in->seq > t->last_retired_seq);
    MUST((in->events & PROBE_WRONG_PATH) == 0);
    t->last_retired_seq = in->seq;
    t->in_flight--;
    trace_stage(t, in, PROBE_RETIRED, cycle);
    for (int s = PROBE_MAPPED, last = PROBE_FETCHED; s <= (int)PROBE_RETIRED; last = s, s++) {
        if (s == (int)PROBE_LOAD_COMPLETED)
            s++;
        MUST(in->stage_cycle[s] != 0 && in->stage_cycle[last] <= in->stage_cycle[s]);
    }
    if (in->seq < TRACE_MAX)
        t->life[in->seq].endings++;
}
static inline void trace_squashed(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct trace *t = ctx;
    MUST(in->cause != PROBE_CAUSE_NONE);
    if (in->stage_cycle[PROBE_MAPPED] != 0)
        t->in_flight--;
    trace_stage(t, in, PROBE_SQUASHED, cycle);
    if (in->seq < TRACE_MAX)
        t->life[in->seq].endings++;
}
static inline void trace_token(void *ctx, const struct probe_token *k)
{
    struct trace *t = ctx;
    unsigned commits = 0, valid = 0;
    MUST(k->cycle == t->next_cycle);
    MUST(k->repeat >= 1);
    t->next_cycle = k->cycle + k->repeat;
    for (unsigned b = 0; b < k->banks; b++) {
        commits += k->bank[b].commits;
        valid += k->bank[b].valid;
        MUST(k->bank[b].valid || !k->bank[b].commits);
    }
    MUST(commits == k->committing);
    MUST(k->rob_empty == (valid == 0) && k->rob_empty == !k->bank[k->head].valid);
    MUST(k->repeat == 1 || (commits == 0 && !k->exception && !k->dispatching));
    MUST(!k->exception || commits == 0);
    MUST(!k->ordering || k->exception);
    MUST(!k->dispatching || k->rob_empty);
    MUST(!k->blocked || (k->rob_empty && !k->dispatching && !k->handler));
    t->cycles += k->repeat;
    t->commits += commits;
    t->empty_cycles += k->rob_empty ? k->repeat : 0;
    t->exceptions += k->exception;
    core_check(t->core);
}

/* One finished run under observation. */
struct run {
    struct guest guest;
    struct core *core;
    struct trace trace;
};

/* With idealised instructions; NULL: none. */
static inline struct run *run_ideal_program(const struct program *p, const struct core_config *cfg,
                                            const struct ideal *ideal)
{
    struct run *r = calloc(1, sizeof *r);
    ck_assert_ptr_nonnull(r);
    guest_of(&r->guest, p);
    r->core = core_new(cfg, &r->guest);
    if (ideal != NULL)
        ck_assert(core_idealise(r->core, ideal));
    r->trace = (struct trace){.core = r->core, .life = xcalloc(TRACE_MIN, sizeof *r->trace.life), .lives = TRACE_MIN};
    struct probe_listener o = {.ctx = &r->trace,
                               .token = trace_token,
                               .cycles = PROBE_ALL_CYCLES,
                               .stage = {trace_fetched, trace_mapped, trace_ready, trace_issued, trace_loaded,
                                         trace_done, trace_retired, trace_squashed}};
    core_subscribe(r->core, &o);
    ck_assert_int_eq(core_run(r->core, 10000000), RV_TRAP_NONE);
    ck_assert(r->guest.process->exited);
    ck_assert_uint_eq(r->trace.cycles, core_cycle(r->core));
    ck_assert_uint_eq(r->trace.commits, core_retired(r->core));
    ck_assert_uint_eq(r->trace.in_flight, 0);
    for (uint64_t s = 1; s <= r->trace.last_seq && s < TRACE_MAX; s++)
        MUST(r->trace.life[s].endings == 1);
    return r;
}

static inline struct run *run_program(const struct program *p, const struct core_config *cfg)
{
    return run_ideal_program(p, cfg, NULL);
}

static inline void run_free(struct run *r)
{
    core_free(r->core);
    guest_fini(&r->guest);
    free(r->trace.life);
    free(r);
}

/* The n-th retired instruction (from 0) that stood at word `index`, or NULL. */
static inline const struct life *life_at(const struct run *r, uint32_t index, unsigned n)
{
    for (uint64_t s = 1; s <= r->trace.last_seq && s < TRACE_MAX; s++)
        if (r->trace.life[s].pc == CODE_START + index * 4 && r->trace.life[s].at[PROBE_RETIRED] != 0 && n-- == 0)
            return &r->trace.life[s];
    return NULL;
}

#endif

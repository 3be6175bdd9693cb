/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the front end that both cores have in common: fetch along the predicted path, with execution at fetch;
 * redirects, deferred instructions and handlers. Each core has its own queues; a position is the core's number of an
 * instruction in flight. Private to core-model. */
#ifndef CORE_MODEL_FRONT_FRONT_H
#define CORE_MODEL_FRONT_FRONT_H

#include "core-model/bpred/steer.h"
#include "core-model/front/fetch_port.h"
#include "core-model/interrupt.h"
#include "core-model/probe.h"
#include "core-model/riscv/code.h"
#include "core-model/stats.h"

struct front {
    struct hart *hart; /* all pointers are borrowed */
    struct guest *guest;
    const struct core_config *cfg;
    struct bpred *bpred;
    struct core_stats *stats;
    struct fetch_port port;
    uint64_t next_seq; /* number of the next instruction fetched */
    struct bpred_history history;
    uint64_t wrong;                    /* position of the oldest unresolved mispredicted instruction, or UINT64_MAX */
    bool waits;                        /* for a redirect, or for a deferred instruction to retire */
    bool ahead;                        /* the next group counts as fetched while a serialising instruction executed */
    struct rv_insn deferred;           /* copy: executing it may discard the decode cache */
    uint64_t cycle_base, instret_base; /* the guest's counters when the core took it over */
};

/* Stands in the pipeline for an instruction that cannot be fetched, until its trap is taken. */
extern const struct rv_insn front_fault;

/* Fetch begins at the hart's pc. The pointers are borrowed. */
void front_init(struct front *f, struct guest *guest, const struct core_config *cfg, struct bpred *bpred,
                struct core_stats *stats);

/* Must the instruction be alone in the pipeline when it is executed? So it is with accesses to counting CSRs and with
 * effects outside the hart. All others are executed at fetch, and rv_undo can take them back. */
static inline bool front_defers(const struct rv_insn *in)
{
    enum { CSR_LAST_FLOAT = 3 }; /* fflags, frm, fcsr: state that rv_undo restores */
    if (!(in->flags & RV_SERIAL))
        return false;
    switch (in->opclass) {
    case OPCLASS_CSR:
        return in->imm > CSR_LAST_FLOAT;
    case OPCLASS_FENCE:
        return (in->flags & RV_FLUSH) != 0;
    case OPCLASS_ATOMIC:
        return false;
    default:
        return true;
    }
}

/* rv_fetch at the hart's pc. If page faults are modelled and the page has not been touched, it returns NULL with
 * RV_TRAP_PAGE. */
static inline const struct rv_insn *front_fetch(const struct core_config *cfg, struct hart *h, enum rv_trap *trap)
{
    const struct rv_insn *in = code_fetch(h, h->pc, trap);
    if (cfg->page_fault_cycles == 0 || in == NULL || memory_touched(&h->mem, h->pc, in->length_bytes))
        return in;
    *trap = RV_TRAP_PAGE;
    return NULL;
}

/* The page fault of the instruction is handled: that of its datum, if the instruction could be fetched. One of the
 * pages is present when the instruction is fetched again. */
void front_touch(struct front *f, uint64_t pc, const struct rv_outcome *o);

/* For an instruction that is not executed at fetch. Either it could not be fetched, with the trap `trap`, or it is
 * deferred; then *in becomes f->deferred, a copy of it. */
void front_defer(struct front *f, const struct rv_insn **in, uint64_t pc, enum rv_trap trap, struct rv_outcome *o);

/* Executes an instruction at fetch, unless it is deferred. `trap` is the trap of its fetch. Returns true if it was
 * executed without a trap; then fetch goes on behind it. Otherwise o->trap is its trap. */
static inline bool front_execute(struct front *f, const struct rv_insn **in, uint64_t pc, enum rv_trap trap,
                                 struct rv_outcome *o)
{
    if (__builtin_expect(trap != RV_TRAP_NONE || front_defers(*in), 0)) {
        front_defer(f, in, pc, trap, o);
        return false;
    }
    rv_exec(f->hart, *in, o);
    return o->trap == RV_TRAP_NONE;
}

/* The stack pointer before the instruction that was fetched last, which has been executed or not. */
static inline uint64_t front_sp(const struct front *f, const struct rv_insn *in, const struct rv_outcome *o,
                                bool executed)
{
    enum { SP = 2 };
    return executed && in->dst == SP ? o->old_dst : f->hart->reg[SP];
}

/* Executes a deferred instruction, which is alone in the pipeline, after updating the counters. A system call is
 * executed by the guest's Linux when the instruction retires. */
enum front_execution { FRONT_EXECUTED, FRONT_SYSTEM_CALL, FRONT_TRAPPED };
enum front_execution front_execute_deferred(struct front *f, const struct rv_insn *in, struct rv_outcome *o,
                                            uint64_t now, uint64_t retired);

/* The results of front_follow. */
enum front_follow {
    FRONT_RAS = 1 << 0,   /* it changed the return address stack */
    FRONT_WRONG = 1 << 1, /* the path fetched after it is not the one it takes */
    FRONT_ENDS = 1 << 2,  /* its group ends: the next one is fetched elsewhere, or later */
};

/* Fetch follows the prediction of the control transfer at that position. */
static inline unsigned front_follow(struct front *f, const struct rv_insn *in, uint64_t pc, const struct rv_outcome *o,
                                    struct bpred_info *predict, uint64_t position, uint64_t now)
{
    bool ras;
    uint64_t next = steer_predict(f->bpred, in, pc, o, &f->history, predict, &ras);
    unsigned done = ras ? FRONT_RAS : 0;
    if (next != o->next_pc) {
        done |= FRONT_WRONG;
        if (f->wrong == UINT64_MAX)
            f->wrong = position;
        f->hart->pc = next;
    }
    if (next == pc + in->length_bytes)
        return done;
    f->port.resume = now + 1;
    if (!steer_knows_target(f->bpred, pc)) {
        f->stats->btb_misses++;
        f->port.resume += f->cfg->btb_miss_cycles;
        f->port.wait = FETCH_WAIT_BTB;
    }
    return done | FRONT_ENDS;
}

/* The statistic of what stalls fetch, except full queues; NULL: nothing does. If a wait ends before *wake, *wake
 * becomes that cycle. */
static inline uint64_t *front_stopped_by(const struct front *f, uint64_t now, uint64_t *wake)
{
    if (f->waits)
        return f->wrong != UINT64_MAX ? &f->stats->fetch_redirect : &f->stats->fetch_serial;
    if (now >= f->port.resume)
        return NULL;
    if (f->port.resume < *wake)
        *wake = f->port.resume;
    return stats_of_fetch_wait(f->stats, (enum fetch_wait)f->port.wait);
}

/* The history behind a resolved instruction; `history` is the one before it. */
static inline struct bpred_history front_history_after(const struct front *f, const struct rv_insn *in,
                                                       const struct rv_outcome *o, struct bpred_history history)
{
    steer_note(f->bpred, in, o->taken, o->next_pc, &history);
    return history;
}

/* Fetch goes on at pc with that history, redirect_cycles after `now`. */
void front_redirect(struct front *f, uint64_t pc, struct bpred_history history, uint64_t now);
/* A deferred instruction has retired. Hardware would have fetched on meanwhile, so the next group counts as fetched. */
static inline void front_resume(struct front *f, uint64_t now)
{
    f->waits = false;
    f->ahead = true;
    f->port.resume = now;
}
/* A handler occupies the core for `cycles` cycles from `from` on; then fetch goes on. */
void front_occupy(struct front *f, struct interrupt *interrupt, uint64_t from, uint64_t cycles);

/* Updates the guest's counters before they can be read. */
static inline void front_update_counters(struct front *f, uint64_t now, uint64_t retired)
{
    f->hart->cycle = f->cycle_base + now;
    f->hart->instret = f->instret_base + retired;
}
/* The core takes over the guest's counters, which may have been changed meanwhile. */
void front_take_over(struct front *f, uint64_t now, uint64_t retired);

/* The instruction trains the predictors as it retires; `wrong`: it was mispredicted. */
static inline void front_train(struct front *f, const struct rv_insn *in, uint64_t pc,
                               const struct bpred_history *history, const struct bpred_info *predict,
                               const struct rv_outcome *o, bool wrong)
{
    stats_count_transfer(f->stats, in, wrong);
    steer_train(f->bpred, in, pc, history, predict, o);
}

#endif

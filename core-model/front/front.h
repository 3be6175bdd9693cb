/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the cores share at their front end: fetch along the predicted path, executing each instruction as it comes, and the guest's side of
 * redirects, deferred instructions and handlers. Each core keeps its own queues; a position is its number of an instruction in flight. Private to
 * core-model. */
#ifndef CORE_MODEL_FRONT_FRONT_H
#define CORE_MODEL_FRONT_FRONT_H

#include "core-model/bpred/steer.h"
#include "core-model/front/fetch_port.h"
#include "core-model/interrupt.h"
#include "core-model/probe.h"
#include "core-model/riscv/code.h"
#include "core-model/stats.h"

struct front {
    struct hart *hart;               /* borrowed, as all pointers here */
    struct guest *guest;
    const struct core_config *cfg;
    struct bpred *bpred;
    struct core_stats *stats;
    struct fetch_port port;
    uint64_t next_seq;               /* number of the next instruction fetched */
    uint64_t history;                /* global branch history, youngest in bit 0 */
    uint64_t wrong;                  /* position of the oldest unresolved mispredicted instruction, or UINT64_MAX */
    bool waits;                      /* for a redirect, or for a deferred instruction to retire */
    bool ahead;                      /* the next group counts as fetched while a serialising instruction executed */
    struct rv_insn deferred;         /* copy: executing it may discard the decode cache */
    uint64_t cycle_base, instret_base; /* the guest's counters when the core took it over */
};

/* Stands for an instruction that cannot be fetched: it carries the trap to the point where traps are taken. */
extern const struct rv_insn front_fault;

/* All zero but the pointers: fetch begins at the hart's pc. */
void front_init(struct front *f, struct guest *guest, const struct core_config *cfg, struct bpred *bpred, struct core_stats *stats);

/* Must the instruction wait until it is alone to be executed? CSRs that count, and what changes the world outside the hart. The others
 * are executed when they are fetched, and rv_undo can take them back. */
static inline bool front_defers(const struct rv_insn *in)
{
    enum { CSR_LAST_FLOAT = 3 }; /* fflags, frm, fcsr: state that rv_undo restores */
    if (!(in->flags & RV_SERIAL))
        return false;
    switch (in->opclass) {
    case OPCLASS_CSR: return in->imm > CSR_LAST_FLOAT;
    case OPCLASS_FENCE: return (in->flags & RV_FLUSH) != 0;
    case OPCLASS_ATOMIC: return false;
    default: return true;
    }
}

/* rv_fetch at the hart's pc, where first touches may fault: then NULL with RV_TRAP_PAGE for an instruction in a page not touched before. */
static inline const struct rv_insn *front_fetch(const struct core_config *cfg, struct hart *h, enum rv_trap *trap)
{
    const struct rv_insn *in = code_fetch(h, h->pc, trap);
    if (cfg->page_fault_cycles == 0 || in == NULL || memory_touched(&h->mem, h->pc, in->length_bytes))
        return in;
    *trap = RV_TRAP_PAGE;
    return NULL;
}

/* The instruction has its page fault handled: that of its datum, if it could be fetched. One page of it is there when it comes again. */
void front_touch(struct front *f, uint64_t pc, const struct rv_outcome *o);

/* The instruction is not executed as it is fetched: it could not be fetched, which `trap` says, or it is deferred, and *in becomes a copy of it,
 * f->deferred. */
void front_defer(struct front *f, const struct rv_insn **in, uint64_t pc, enum rv_trap trap, struct rv_outcome *o);

/* Executes an instruction as it is fetched, or leaves that for later. `trap` is that of its fetch. True if it was executed without a trap: then fetch
 * goes on behind it. Otherwise o->trap says which trap it has. */
static inline bool front_execute(struct front *f, const struct rv_insn **in, uint64_t pc, enum rv_trap trap, struct rv_outcome *o)
{
    if (__builtin_expect(trap != RV_TRAP_NONE || front_defers(*in), 0)) {
        front_defer(f, in, pc, trap, o);
        return false;
    }
    rv_exec(f->hart, *in, o);
    return o->trap == RV_TRAP_NONE;
}

/* Executes a deferred instruction when it is alone: the counters are up to date then. A system call is the guest's when it retires. */
enum front_execution { FRONT_EXECUTED, FRONT_SYSTEM_CALL, FRONT_TRAPPED };
enum front_execution front_execute_deferred(struct front *f, const struct rv_insn *in, struct rv_outcome *o, uint64_t now, uint64_t retired);

/* What following a branch or jump has done. */
enum front_follow {
    FRONT_RAS = 1 << 0,   /* it changed the return address stack */
    FRONT_WRONG = 1 << 1, /* the path fetched after it is not the one it takes */
    FRONT_ENDS = 1 << 2,  /* its group ends: the next one is fetched elsewhere, or later */
};

/* Fetch follows the prediction of the control transfer at that position. */
static inline unsigned front_follow(struct front *f, const struct rv_insn *in, uint64_t pc, const struct rv_outcome *o, struct bpred_info *predict,
                                    uint64_t position, uint64_t now)
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

/* The statistic of what keeps fetch from going on, but for want of room, or NULL. *wake becomes the cycle in which a wait ends, if that is earlier. */
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

/* A branch has been resolved: the history behind it. */
static inline uint64_t front_history_after(const struct rv_insn *in, const struct rv_outcome *o, uint64_t history)
{
    return in->flags & RV_BRANCH ? history << 1 | o->taken : history;
}

/* Fetch goes on at pc with that history, redirect_cycles after `now`. */
void front_redirect(struct front *f, uint64_t pc, uint64_t history, uint64_t now);
/* A deferred instruction has retired: hardware would have fetched on while it waited and executed. */
static inline void front_resume(struct front *f, uint64_t now)
{
    f->waits = false;
    f->ahead = true;
    f->port.resume = now;
}
/* A handler occupies the core for so many cycles, then fetch goes on. */
void front_occupy(struct front *f, struct interrupt *interrupt, uint64_t from, uint64_t cycles);

/* Brings the guest's counters up to date, for code that can read them now. */
static inline void front_update_counters(struct front *f, uint64_t now, uint64_t retired)
{
    f->hart->cycle = f->cycle_base + now;
    f->hart->instret = f->instret_base + retired;
}
/* The guest's counters, which may have moved without the core, count on from where they are. */
void front_take_over(struct front *f, uint64_t now, uint64_t retired);

/* The instruction trains the predictors as it retires; `wrong`: it was mispredicted. */
static inline void front_train(struct front *f, const struct rv_insn *in, uint64_t pc, uint64_t history, const struct bpred_info *predict,
                               const struct rv_outcome *o, bool wrong)
{
    stats_count_transfer(f->stats, in, wrong);
    steer_train(f->bpred, in, pc, history, predict, o);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Front end shared by both cores: fetch along the predicted path with execution at fetch, redirects, deferred
 * instructions and handlers. Each core has its own queues; a position identifies an instruction in flight in the core.
 * Private to core-model. */
#ifndef CORE_MODEL_FRONT_FRONT_H
#define CORE_MODEL_FRONT_FRONT_H

#include "core-model/bpred/steer.h"
#include "core-model/front/fetch_port.h"
#include "core-model/interrupt.h"
#include "core-model/linux/guest.h"
#include "core-model/probe/probe.h"
#include "core-model/riscv/code.h"
#include "core-model/stats.h"

struct front {
    struct hart *hart; /* all pointers are borrowed */
    struct guest *guest;
    const struct core_config *cfg;
    struct bpred *bpred;
    struct core_stats *stats;
    struct core_stats *outside; /* statistics of predictions; equal to `stats` unless the core separates them */
    struct interrupt *interrupt;
    struct probe_port *probes;
    struct guest_thread seen; /* the thread when the port's listeners were last notified of the kernel */
    unsigned alarm_line;      /* of the guest's alarm */
    struct fetch_port port;
    uint64_t next_seq; /* sequence number of the next fetched instruction */
    struct bpred_history history;
    uint64_t wrong; /* position of the oldest unresolved mispredicted instruction, or UINT64_MAX */
    bool halted;    /* the hart is idle: no thread runs on it */
    bool waits;     /* fetch waits for a redirect or for the retirement of a deferred instruction */
    bool ahead;     /* the next fetch packet counts as fetched during the execution of a serialising instruction */
    struct rv_insn deferred;           /* a copy, because its execution may invalidate the decode cache */
    uint64_t cycle_base, instret_base; /* values of the guest's counters at front_take_over */
    uint64_t alarm_cycle;              /* value of the guest's alarm for which its line is set */
    uint64_t halted_at;                /* cycle since which the hart is idle, or since which that is counted */
    /* With several harts: called after a store of this hart has changed memory. */
    void (*performed)(void *ctx, const struct hart *by, uint64_t addr, unsigned size_bytes);
    void *performed_ctx;
};

/* Placeholder in the pipeline for an instruction that cannot be fetched, until its trap is taken. */
extern const struct rv_insn front_fault;

/* Starts fetch at the hart's pc, and connects the guest's alarm to a line of `interrupt`: its handler (ctx is `core`)
 * calls front_alarm. The pointers are borrowed. */
void front_init(struct front *f, struct guest *guest, const struct core_config *cfg, struct bpred *bpred,
                struct core_stats *stats, struct interrupt *interrupt, struct probe_port *probes, core_handler *handler,
                void *core);

/* Returns whether the fence orders earlier stores before later loads: not fence.tso. */
static inline bool front_orders_loads(const struct rv_insn *in)
{
    enum { PREDECESSOR_W = 1 << 24, SUCCESSOR_R = 1 << 21, BOTH = PREDECESSOR_W | SUCCESSOR_R, MODE_BIT = 28 };
    return (in->word & BOTH) == BOTH && in->word >> MODE_BIT == 0;
}

/* Returns whether the instruction must be alone in the pipeline when it executes: accesses to counter CSRs, and effects
 * outside the hart. All others execute at fetch and can be undone by rv_undo. With other harts, an atomic takes effect
 * when all earlier stores are performed, and loads behind a fence execute after it. What an atomic does to memory that
 * other processes may see is not undone. */
static inline bool front_defers(const struct hart *h, const struct rv_insn *in)
{
    if (!(in->flags & RV_SERIAL))
        return false;
    if (in->opclass == OPCLASS_ATOMIC)
        return h->stores != NULL || memory_is_shared(&h->mem, h->reg[in->src[0]], 1);
    return rv_is_always_alone(in) || (in->opclass == OPCLASS_FENCE && h->stores != NULL && front_orders_loads(in));
}

/* The instruction at the hart's pc, or NULL if page faults are modelled and its page is absent. */
static inline const struct rv_insn *front_present(const struct core_config *cfg, struct hart *h,
                                                  const struct rv_insn *in, enum rv_trap *trap)
{
    if (cfg->page_fault_cycles == 0 || in == NULL || memory_touched(&h->mem, h->pc, in->length_bytes))
        return in;
    *trap = RV_TRAP_PAGE;
    return NULL;
}

/* rv_fetch at the hart's pc. Returns NULL and RV_TRAP_PAGE if page faults are modelled and the page is absent. */
static inline const struct rv_insn *front_fetch(const struct core_config *cfg, struct hart *h, enum rv_trap *trap)
{
    return front_present(cfg, h, code_fetch(h, h->pc, trap), trap);
}

/* front_fetch if the pc is even and in the page of `near`, which is the instruction at `at`. */
static inline const struct rv_insn *front_fetch_near(const struct core_config *cfg, struct hart *h,
                                                     const struct rv_insn *near, uint64_t at, enum rv_trap *trap)
{
    return front_present(cfg, h, code_fetch_near(h, near, at, h->pc, trap), trap);
}

/* Handles the page fault of an instruction: that of its data if the instruction could be fetched. Makes one page
 * present before the instruction is refetched. */
void front_touch(struct front *f, uint64_t pc, const struct rv_outcome *o);

/* For an instruction that is not executed at fetch: either its fetch raised `trap`, or it is deferred and *in becomes
 * f->deferred, a copy of it. */
void front_defer(struct front *f, const struct rv_insn **in, uint64_t pc, enum rv_trap trap, struct rv_outcome *o);

/* Executes an instruction at fetch, unless it is deferred. `trap` is the trap of its fetch. Returns true if it executed
 * without a trap, so fetch continues after it; otherwise o->trap is its trap. */
static inline bool front_execute(struct front *f, const struct rv_insn **in, uint64_t pc, enum rv_trap trap,
                                 struct rv_outcome *o)
{
    if (__builtin_expect(trap != RV_TRAP_NONE || front_defers(f->hart, *in), 0)) {
        front_defer(f, in, pc, trap, o);
        return false;
    }
    rv_exec(f->hart, *in, o);
    return o->trap == RV_TRAP_NONE;
}

/* Register `reg` before the last fetched instruction, whether it has been executed or not. */
static inline uint64_t front_register(const struct front *f, const struct rv_insn *in, const struct rv_outcome *o,
                                      bool executed, unsigned reg)
{
    return executed && in->dst == reg ? o->old_dst : f->hart->reg[reg];
}

/* Executes a deferred instruction, which is alone in the pipeline, after updating the counters. System calls are
 * executed at retirement. FRONT_ABSENT: it has not executed, and its data are in an absent page. */
enum front_execution { FRONT_EXECUTED, FRONT_SYSTEM_CALL, FRONT_TRAPPED, FRONT_ABSENT };
enum front_execution front_execute_deferred(struct front *f, const struct rv_insn *in, struct rv_outcome *o,
                                            uint64_t now, uint64_t retired);

/* The results of front_follow. */
enum front_follow {
    FRONT_RAS = 1 << 0,      /* modified the return address stack */
    FRONT_WRONG = 1 << 1,    /* mispredicted: the path fetched after it is wrong */
    FRONT_ENDS = 1 << 2,     /* ends its fetch packet: the next one is fetched elsewhere or later */
    FRONT_BTB_MISS = 1 << 3, /* decode, not the BTB, finds its target */
};

/* Fetch goes on elsewhere in the next cycle, or after a miss of the BTB. */
static inline void front_end_packet(struct front *f, bool misses, uint64_t now)
{
    f->port.resume = now + 1;
    if (!misses)
        return;
    f->port.resume += f->cfg->btb_miss_cycles;
    f->port.wait = FETCH_WAIT_BTB;
}

/* Predicts the control transfer at this position; fetch follows the prediction. */
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
    const bool misses = !steer_knows_target(f->bpred, pc);
    f->outside->btb_misses += misses;
    front_end_packet(f, misses, now);
    return done | FRONT_ENDS | (misses ? FRONT_BTB_MISS : 0);
}

/* The same with a right prediction, whatever the predictors know; they see the instruction as in front_follow. */
unsigned front_follow_right(struct front *f, const struct rv_insn *in, uint64_t pc, const struct rv_outcome *o,
                            struct bpred_info *predict, uint64_t position, uint64_t now);

/* Repeats the changes that front_follow with this result made in fetch, for an instruction that is fetched again. */
static inline void front_follow_again(struct front *f, unsigned done, uint64_t position, uint64_t now)
{
    if ((done & FRONT_WRONG) && f->wrong == UINT64_MAX)
        f->wrong = position;
    if (done & FRONT_ENDS)
        front_end_packet(f, (done & FRONT_BTB_MISS) != 0, now);
}

/* The statistic for the cause of a fetch stall other than full queues; NULL: none. Lowers *wake to the cycle in which
 * the stall ends. */
static inline uint64_t *front_stopped_by(const struct front *f, uint64_t now, uint64_t *wake)
{
    if (f->halted)
        return &f->stats->fetch_handler;
    if (f->waits)
        return f->wrong != UINT64_MAX ? &f->stats->fetch_redirect : &f->stats->fetch_serial;
    if (now >= f->port.resume)
        return NULL;
    if (f->port.resume < *wake)
        *wake = f->port.resume;
    return stats_of_fetch_wait(f->stats, (enum fetch_wait)f->port.wait);
}

/* The history after a resolved instruction; `history` is the one before it. */
static inline struct bpred_history front_history_after(const struct front *f, const struct rv_insn *in,
                                                       const struct rv_outcome *o, struct bpred_history history)
{
    steer_note(f->bpred, in, o->taken, o->next_pc, &history);
    return history;
}

/* Repeats the changes that front_redirect makes in fetch, without pc and history. */
static inline void front_redirect_again(struct front *f, uint64_t now)
{
    f->port.resume = now + f->cfg->redirect_cycles;
    f->port.wait = FETCH_WAIT_REDIRECT;
    f->port.events = f->port.found = 0;
    f->waits = f->ahead = false;
}
/* Redirects fetch to pc with this history; fetch continues redirect_cycles after `now`. */
void front_redirect(struct front *f, uint64_t pc, struct bpred_history history, uint64_t now);
/* Resumes fetch after a deferred instruction has retired. Hardware would have continued to fetch, so the next fetch
 * packet counts as already fetched. */
static inline void front_resume(struct front *f, uint64_t now)
{
    f->waits = false;
    f->ahead = true;
    f->port.resume = now;
}
/* Occupies the core with a handler for `cycles` cycles from `from` on; then fetch resumes. */
void front_occupy(struct front *f, uint64_t from, uint64_t cycles);

/* Updates the guest's counters before they can be read. */
static inline void front_update_counters(struct front *f, uint64_t now, uint64_t retired)
{
    f->hart->cycle = f->cycle_base + now;
    f->hart->instret = f->instret_base + retired;
}
/* Performs the oldest store that other harts do not see. */
void front_perform(struct front *f);
/* Follows what a kernel entry of another hart has changed: the guest's alarm, and the thread, which execve ends. */
void front_follow_kernel(struct front *f, uint64_t now, uint64_t retired);
/* Notifies the port's listeners of the thread that the hart begins with. */
void front_begin_thread(struct front *f, uint64_t retired);
/* Adds the cycles up to `now` of an idle time that has not ended to s->idle. */
void front_count_idle(const struct front *f, struct core_stats *s, uint64_t now);
/* Reads the guest's counters and its alarm, which may have changed since the core last ran. */
void front_take_over(struct front *f, uint64_t now, uint64_t retired);
/* The guest's kernel acts in cycle `now`: it performs the system call at the hart's pc, handles a fault there, or is
 * called by its alarm. Returns whether the guest has exited. */
bool front_system_call(struct front *f, uint64_t now, uint64_t retired);
bool front_program_fault(struct front *f, enum rv_trap trap, uint64_t now, uint64_t retired);
bool front_alarm(struct front *f, uint64_t now, uint64_t retired);

/* Trains the predictors at retirement; `wrong`: the instruction was mispredicted. */
static inline void front_train(struct front *f, const struct rv_insn *in, uint64_t pc,
                               const struct bpred_history *history, const struct bpred_info *predict,
                               const struct rv_outcome *o, bool wrong)
{
    stats_count_transfer(f->outside, in, wrong);
    steer_train(f->bpred, in, pc, history, predict, o);
}

#endif

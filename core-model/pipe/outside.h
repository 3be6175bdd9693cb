/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of the stages outside the pipeline's state: execution, prediction, accesses to memory, calls of observers.
 * The pipeline's state after a cycle is a function of its state before the cycle and of the results of these
 * operations. Each function X_perform performs one.
 *
 * The stages are compiled twice: with MEMOISED, for cycles that are recorded, they have the functions of memo/memo.h
 * perform the operations. Private to core-model/pipe. */
#ifndef CORE_MODEL_PIPE_OUTSIDE_H
#define CORE_MODEL_PIPE_OUTSIDE_H

#include "core-model/pipe/data_access.h"
#include "core-model/pipe/insn_fetch.h"
#include "core-model/pipe/memo/memo.h"
#include "core-model/pipe/wheel.h"

#ifndef MEMOISED
#define MEMOISED 0
#endif

/* ---- the cycle ---- */

/* To be called where the cycle does what is none of the operations below, or depends on more than the pipeline's state
 * and their results. */
static inline void cycle_never_repeats(struct ooo *c)
{
    if (MEMOISED)
        memo_end_log(c);
}

/* Whether tokens and interrupts that are due are served now: false in the repetition of a cycle that is past commit. */
static inline bool cycle_serves_requests(const struct ooo *c) { return !MEMOISED || !memo_is_repeating(c); }

/* Nothing happens in the pipeline until its next event. */
static inline void cycle_idles(struct ooo *c)
{
    if (MEMOISED)
        memo_note_idle(c);
}

/* wheel_add */
static inline void cycle_schedule(struct ooo *c, uint32_t i, uint64_t cycle)
{
    wheel_add(c, i, cycle);
    if (MEMOISED)
        memo_note_event(c, i);
}

/* The data of misses arrive. */
static inline void cycle_fill_misses(struct ooo *c)
{
    if (MEMOISED)
        memo_fill_misses(c);
}

/* Adds to the instruction those of the events (enum probe_event) that it lacks. They follow from the pipeline's state.
 */
static inline void stage_event_perform(struct ooo *c, struct slot *s, uint32_t events)
{
    if ((events & ~s->events) != 0)
        probe_event(c, s, events);
}
static inline void stage_event(struct ooo *c, struct slot *s, uint32_t events)
{
    MEMOISED ? memo_stage_event(c, s, events) : stage_event_perform(c, s, events);
}

/* ---- commit and squash ---- */

/* Instructions that retire together, in one word: their number and of stores among them, whether transfers of control
 * are, and a bit for each of their opcode classes. */
enum { COMMIT_COUNT = 15, COMMIT_STORES_SHIFT = 4, COMMIT_TRANSFERS = 1 << 8, COMMIT_CLASSES_SHIFT = 9 };
_Static_assert((int)PROBE_MAX_BANKS <= (int)COMMIT_COUNT && (int)COMMIT_CLASSES_SHIFT + (int)OPCLASS_COUNT <= 32,
               "bits for all");

/* Counts the instructions before `position` as retired. */
static inline void commit_count_up_to(struct ooo *c, uint64_t position)
{
    const uint64_t more = position - c->head;
    c->head = position;
    c->retired += more;
    c->cycle.commits += (uint32_t)more;
}

/* The oldest instructions retire: counts them and their stores, trains the predictors, and reports to the observers. */
void commit_perform(struct ooo *c, uint32_t what);
static inline void commit_group(struct ooo *c, uint32_t what)
{
    MEMOISED ? memo_commit(c, what) : commit_perform(c, what);
}

/* Undoes the execution of all instructions from `position` on, youngest first, and removes their stores, the youngest
 * ones of the store queue; then fetch resumes at pc with the given history. */
void squash_perform(struct ooo *c, uint64_t position, uint32_t stores, uint64_t pc, struct bpred_history history);
static inline void squash_undo(struct ooo *c, uint64_t position, uint32_t stores, uint64_t pc,
                               struct bpred_history history)
{
    MEMOISED ? memo_undo(c, position, stores, pc, history) : squash_perform(c, position, stores, pc, history);
}

/* ---- fetch ---- */

/* The first instruction of a fetch packet, whose address is in *pc; NULL: its fetch has raised the trap. */
static inline const struct rv_insn *fetch_first_insn(struct ooo *c, uint64_t *pc, enum rv_trap *trap)
{
    if (MEMOISED)
        return memo_first_insn(c, pc, trap);
    *pc = c->front.hart->pc;
    return front_fetch(&c->cfg, c->front.hart, trap);
}

/* The address of the instruction behind `in`, which is at pc, on the predicted path. */
static inline uint64_t fetch_next_pc(const struct ooo *c, const struct rv_insn *in, uint64_t pc)
{
    return MEMOISED ? memo_next_pc(c, in, pc) : c->front.hart->pc;
}

/* That instruction; NULL: its fetch has raised the trap. */
static inline const struct rv_insn *fetch_next_insn(struct ooo *c, const struct rv_insn *in, uint64_t pc,
                                                    enum rv_trap *trap)
{
    return MEMOISED ? memo_next_insn(c, in, pc, trap) : front_fetch_near(&c->cfg, c->front.hart, in, pc, trap);
}

static inline bool fetch_port_admits(struct ooo *c, uint64_t pc)
{
    return MEMOISED ? memo_port_admits(c) : port_perform(c, pc);
}

static inline bool fetch_execute(struct ooo *c, uint32_t i, const struct packet *p, const struct rv_insn *in,
                                 uint64_t pc, enum rv_trap trap)
{
    return MEMOISED ? memo_execute(c, i, p, in, pc, trap) : execute_perform(c, i, p, in, pc, trap);
}

/* Predicts the control transfer that is the next instruction. */
static inline unsigned fetch_predict(struct ooo *c, uint32_t i)
{
    return MEMOISED ? memo_predict(c, i) : predict_perform(c, i, c->fetch_tail);
}

/* ---- loads and stores ---- */

static inline void lsq_enter_store(struct ooo *c, uint32_t i)
{
    MEMOISED ? memo_enter_store(c, i) : enter_store_perform(c, i);
}

static inline void lsq_free_stores(struct ooo *c)
{
    if (MEMOISED)
        memo_free_stores(c);
    else
        (void)free_stores_perform(c);
}

static inline uint64_t lsq_translate(struct ooo *c, uint32_t i, uint64_t when, bool *absent)
{
    return MEMOISED ? memo_translate(c, i, when, absent) : translate_perform(c, i, when, absent);
}

/* Whether the load must wait for the addresses of older stores. */
static inline bool lsq_must_wait(struct ooo *c, uint32_t i)
{
    return (MEMOISED ? memo_wait_bit(c, i) : *store_wait_bit(c, c->slot[i].pc)) != 0;
}

/* The load will have to wait. */
static inline void lsq_set_wait(struct ooo *c, uint32_t i)
{
    if (MEMOISED)
        memo_set_wait(c, i);
    else
        *store_wait_bit(c, c->slot[i].pc) = 1;
}

/* The stores older than a load that overlap it, from the youngest one on. */
struct overlaps {
    uint32_t at;   /* entry in the store queue */
    uint64_t left; /* with MEMOISED: bit n: the store n + 1 entries before the load overlaps it */
};
static inline struct overlaps lsq_search(struct ooo *c, uint32_t i)
{
    if (MEMOISED)
        return (struct overlaps){.left = memo_search(c, i)};
    return (struct overlaps){.at = store_filter_may_hit(c, &c->outcome[i]) ? c->slot[i].store_mark : c->store_head};
}
/* Whether there is a next one, whose entry is in v->at. */
static inline bool lsq_next_overlap(struct ooo *c, uint32_t i, struct overlaps *v)
{
    if (!MEMOISED)
        return overlap_perform(c, i, &v->at);
    if (v->left == 0)
        return false;
    v->at = c->slot[i].store_mark - 1 - (uint32_t)__builtin_ctzll(v->left);
    v->left &= v->left - 1;
    return true;
}

static inline bool lsq_covers(struct ooo *c, uint32_t i, uint32_t at)
{
    return MEMOISED ? memo_covers(c, i, at) : covers_perform(c, i, at);
}

/* Accesses the cache and schedules the event of the access. */
static inline void lsq_access(struct ooo *c, uint32_t i, uint64_t when, bool is_write)
{
    MEMOISED ? memo_access(c, i, when, is_write) : wheel_add(c, i, access_perform(c, i, when, is_write));
}

/* The cycle in which the store that was sent is in the cache; not in the future: it is. */
static inline uint64_t lsq_store_done(struct ooo *c, uint32_t at)
{
    return MEMOISED ? memo_store_done(c, at) : store_at(c, at)->done_cycle;
}

static inline void lsq_send_store(struct ooo *c) { MEMOISED ? memo_send(c) : send_perform(c); }

#endif

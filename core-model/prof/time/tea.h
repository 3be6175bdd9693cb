/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TEA, time-proportional event analysis (ISCA 2023): shared by its observers. An instruction's time is attributed to
 * its event signature when the signature is complete: at commit, or when its exception is raised. Until then the time
 * is held. Private to the observers `tea` and `tea-oracle`. */
#ifndef CORE_MODEL_PROF_TEA_H
#define CORE_MODEL_PROF_TEA_H

#include "core-model/prof/time/pics_map.h"
#include "core-model/prof/time/tip.h"

/* Flags of the commit token that set bits of a signature. */
enum pics_commit { PICS_MISPREDICTED = 1, PICS_FLUSHES = 2, PICS_EXCEPTION = 4, PICS_ORDERING = 8 };

/* The held instruction: the oldest one, or the next one to enter the drained ROB, whose signature is incomplete. */
struct tea_held {
    bool waits, known; /* an instruction is held; its address is known */
    uint64_t pc;
    uint32_t signature;        /* so far */
    uint64_t stalled, drained; /* held time */
};

/* State of the held instruction. */
enum tea_end {
    TEA_WAITS,    /* in flight, or none held */
    TEA_COMPLETE, /* commits, or raises its exception: its signature is complete */
    TEA_SQUASHED, /* squashed by an interrupt; the signature has its events so far, because its re-execution is another
                   * instance */
    TEA_HANDLER,  /* the next instruction to enter the ROB is the first one of a handler */
};

struct tea {
    struct pics_map map;
    struct pics_profile profile; /* valid after finish */
    struct tea_held held;
    uint64_t squashed; /* held instructions squashed by an interrupt */
};

/* Signature for events (enum probe_event) and flags (enum pics_commit). */
uint32_t tea_signature(uint32_t events, unsigned commit);
/* Signature of an instruction that commits with these events. */
static inline uint32_t tea_commit_signature(uint32_t events)
{
    enum {
        ANY = PROBE_MISPREDICTED | PROBE_FLUSHES
#define PICS_EVENT(sym, name, probe_events, commit_flags, meaning) | (probe_events)
#include "contract/pics.def"
    };
    if ((events & ANY) == 0)
        return 0;
    return tea_signature(events, ((events & PROBE_MISPREDICTED) != 0 ? PICS_MISPREDICTED : 0u) |
                                     ((events & PROBE_FLUSHES) != 0 ? PICS_FLUSHES : 0u));
}
/* Signature of the committing instruction in a bank. */
uint32_t tea_bank_signature(const struct probe_token *t, unsigned bank);
/* Signature of the instruction in the OIR. */
uint32_t tea_offender_signature(const struct probe_oir *o);

/* Returns the state of the held instruction after the token's cycles, ignoring its exception; updates its address and
 * signature as far as they are known. */
enum tea_end tea_held_look(struct tea_held *h, const struct probe_token *t);
/* Returns the state of the held instruction with respect to its exception. */
enum tea_end tea_held_except(struct tea_held *h, const struct probe_token *t);

/* To be called before the token's cycles are attributed. Attributes the held time if the oldest instruction has ended.
 * If a handler's first instruction ends a drained state, the time is attributed to the handler. */
void tea_settle(struct tea *tea, const struct probe_token *t);
/* Holds time for the oldest instruction (STATE_STALLED), or for the next one to enter the ROB (STATE_DRAINED). */
void tea_hold(struct tea *tea, const struct probe_token *t, enum time_state state, uint64_t time);
/* Replaces both if instructions commit: the oldest one stalled for `stalled` and commits with this signature. */
void tea_settle_commit(struct tea *tea, uint64_t pc, uint32_t signature, uint64_t stalled);
/* To be called after the token's cycles are attributed. Attributes the held time if the oldest instruction raises its
 * exception. */
void tea_except(struct tea *tea, const struct probe_token *t);

/* Functions of the observers' kinds. */
struct observer *tea_create(const struct observer_kind *kind, const struct observer_setup *setup,
                            void (*start)(struct profiler *p));
void tea_finish(struct observer *o, struct hart *hart, bool exact);
const struct pics_profile *tea_pics(const struct observer *o);
void tea_release(struct observer *o);

#endif

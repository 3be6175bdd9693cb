/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TEA, time-proportional event analysis (ISCA 2023): what its observers have in common. An instruction's time is known
 * by its event signature when the signature is complete: as it commits, or its exception fires. Until then the time is
 * held back. Private to the observers `tea` and `tea-oracle`. */
#ifndef CORE_MODEL_PROF_TEA_H
#define CORE_MODEL_PROF_TEA_H

#include "core-model/prof/time/pics_map.h"
#include "core-model/prof/time/tip.h"

/* The flags of the commit token that set bits of a signature. */
enum pics_commit { PICS_MISPREDICTED = 1, PICS_FLUSHES = 2, PICS_EXCEPTION = 4, PICS_ORDERING = 8 };

/* The oldest instruction, or the next one to enter the drained ROB, of which a signature is awaited. */
struct tea_held {
    bool waits, known; /* there is one; its address is known */
    uint64_t pc;
    uint32_t signature;        /* so far */
    uint64_t stalled, drained; /* the time that waits */
};

/* What has become of the held instruction. */
enum tea_end {
    TEA_WAITS,    /* it has not ended, or there is none */
    TEA_COMPLETE, /* it commits, or its exception fires: its signature is complete */
    TEA_SQUASHED, /* an interrupt has squashed it. The signature is of its events so far, since its next execution is
                   * another instruction */
    TEA_HANDLER,  /* it is a handler's first instruction, which is the next one to enter the ROB */
};

struct tea {
    struct pics_map map;
    struct pics_profile profile; /* once finished */
    struct tea_held held;
    uint64_t squashed; /* held instructions that an interrupt has squashed */
};

/* The signature of these events (enum probe_event) and flags (enum pics_commit). */
uint32_t tea_signature(uint32_t events, unsigned commit);
/* Of an instruction that commits with these events. */
static inline uint32_t tea_commit_signature(uint32_t events)
{
    enum {
        ANY = PROBE_MISPREDICTED | PROBE_FLUSHES
#define PICS_EVENT(sym, name, probe_events, commit_flags, meaning) | (probe_events)
#include "isa/contract/pics.def"
#undef PICS_EVENT
    };
    if ((events & ANY) == 0)
        return 0;
    return tea_signature(events, ((events & PROBE_MISPREDICTED) != 0 ? PICS_MISPREDICTED : 0u) |
                                     ((events & PROBE_FLUSHES) != 0 ? PICS_FLUSHES : 0u));
}
/* Of a bank whose instruction commits. */
uint32_t tea_bank_signature(const struct probe_token *t, unsigned bank);
/* Of the instruction in the OIR. */
uint32_t tea_offender_signature(const struct probe_oir *o);

/* Says what becomes of the held instruction in the token's cycles, but for its exception; sets its address and its
 * signature as far as they are known. */
enum tea_end tea_held_look(struct tea_held *h, const struct probe_token *t);
/* The same of its exception. */
enum tea_end tea_held_except(struct tea_held *h, const struct probe_token *t);

/* Before the time of the token's cycles is given. Delivers the held time if the oldest instruction has ended. A
 * handler's first instruction ends a drained ROB: the time is the handler's. */
void tea_settle(struct tea *tea, const struct probe_token *t);
/* Holds time back for the oldest instruction (STATE_STALLED), or for the next one to enter the ROB (STATE_DRAINED). */
void tea_hold(struct tea *tea, const struct probe_token *t, enum time_state state, uint64_t time);
/* In the place of both where instructions commit: the oldest one waited for that time, and commits with that signature.
 */
void tea_settle_commit(struct tea *tea, uint64_t pc, uint32_t signature, uint64_t stalled);
/* After the time of the token's cycles is given. Delivers the held time if the oldest instruction's exception fires. */
void tea_except(struct tea *tea, const struct probe_token *t);

/* The observer's functions. */
struct observer *tea_create(const struct observer_kind *kind, const struct observer_setup *setup,
                            void (*start)(struct profiler *p));
void tea_finish(struct observer *o, struct hart *hart, bool exact);
const struct pics_profile *tea_pics(const struct observer *o);
void tea_release(struct observer *o);

#endif

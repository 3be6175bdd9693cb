/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Per-instruction cycle stacks (PICS; TEA, ISCA 2023): profiles of time by instruction address and event signature, the
 * set of events that an execution of the instruction had. The core side fills them from the probe port; the host side
 * reports them and compares them. Times are in the units of profiles of time. */
#ifndef ISA_CONTRACT_PICS_H
#define ISA_CONTRACT_PICS_H

#include "isa/contract/timeprof.h"

enum pics_event_bit {
#define PICS_EVENT(sym, name, events, commit, meaning) PICS_BIT_##sym,
#include "isa/contract/pics.def"
#undef PICS_EVENT
    PICS_EVENT_COUNT
};

/* A signature as samples and programs have it, in 16 bits: the events, or, so that it is never 0, PICS_NO_EVENT. */
enum { PICS_NO_EVENT = 1 << 15 };
_Static_assert((int)PICS_EVENT_COUNT <= 15, "pics.def: more events than a sample's signature has bits");
static inline uint16_t pics_signature16(uint32_t signature)
{
    return (uint16_t)(signature != 0 ? signature : PICS_NO_EVENT);
}

/* A component of an instruction's stack. */
struct pics_row {
    uint64_t pc;                        /* 0: as in struct time_row; its signature is 0 */
    uint32_t signature;                 /* 1 << enum pics_event_bit; 0: the base component */
    uint64_t time[TIME_CATEGORY_COUNT]; /* by state of commit, in 1/TIME_PER_CYCLE cycles */
};

struct pics_profile {
    const char *label;          /* the observer with its options */
    bool exact;                 /* every cycle was looked at: the reference for the others */
    uint64_t period;            /* of its samples, in cycles */
    uint64_t samples;           /* taken; 0 where exact */
    uint64_t squashed;          /* instructions whose signature was not complete: an interrupt squashed them */
    uint64_t time;              /* sum over the rows */
    const struct pics_row *row; /* by rising pc, and signature */
    size_t rows;
};

struct pics_result {
    const struct pics_profile *profile;
    unsigned profiles;
    uint64_t cycles; /* of the run */
    struct code code;
};

/* "ST-L1" for PICS_BIT_ST_L1. */
const char *pics_event_name(enum pics_event_bit e);

enum { PICS_TEXT = 128 };
/* "ST-L1+ST-TLB", or "base" where no bit is set. Returns text, which holds PICS_TEXT characters. */
const char *pics_signature_text(uint32_t signature, char *text);

static inline uint64_t pics_row_total(const struct pics_row *r)
{
    uint64_t sum = 0;
    for (int c = 0; c < TIME_CATEGORY_COUNT; c++)
        sum += r->time[c];
    return sum;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Per-instruction cycle stacks (PICS; TEA, ISCA 2023): time profiles by instruction address and event signature, the
 * set of events of one execution of the instruction. The core model fills them from the probe port; the host side
 * reports and compares them. Times have the unit of time profiles (timeprof.h). */
#ifndef CONTRACT_PICS_H
#define CONTRACT_PICS_H

#include "contract/timeprof.h"

enum pics_event_bit {
#define PICS_EVENT(sym, name, events, commit, meaning) PICS_BIT_##sym,
#include "contract/pics.def"
    PICS_EVENT_COUNT
};

/* 16-bit encoding of a signature in samples: the event bits, or PICS_NO_EVENT for the empty signature, so it is never
 * 0. */
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
    uint64_t time[TIME_CATEGORY_COUNT]; /* by commit state, in 1/TIME_PER_CYCLE cycles */
};

struct pics_profile {
    const char *label;          /* the observer with its options */
    bool exact;                 /* every cycle was counted: the ground truth for the others */
    uint64_t period;            /* sampling period in cycles */
    uint64_t samples;           /* samples taken; 0 if exact */
    uint64_t squashed;          /* instructions with an incomplete signature, because an interrupt squashed them */
    uint64_t time;              /* sum over the rows */
    const struct pics_row *row; /* sorted by pc and signature */
    size_t rows;
    const struct pics_row *place; /* by place (call_tree.h), in ascending order; places 0: none are known */
    size_t places;
};

struct pics_result {
    const struct pics_profile *profile;
    unsigned profiles;
    uint64_t cycles; /* of the run */
    bool has_idle;   /* a hart has no thread at times: pc 0 has that time, too */
    struct code code;
};

/* Name of an event, e.g. "ST-L1" for PICS_BIT_ST_L1. */
const char *pics_event_name(enum pics_event_bit e);

enum { PICS_TEXT = 128 };
/* Formats a signature, e.g. "ST-L1+ST-TLB", or "base" for 0. Returns `text`, which has PICS_TEXT characters. */
const char *pics_signature_text(uint32_t signature, char *text);

static inline uint64_t pics_row_total(const struct pics_row *r)
{
    uint64_t sum = 0;
    for (int c = 0; c < TIME_CATEGORY_COUNT; c++)
        sum += r->time[c];
    return sum;
}

#endif

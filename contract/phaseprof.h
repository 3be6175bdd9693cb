/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time line of a run: its cycles in consecutive intervals of one length, and of each interval the cycles by
 * category and by instruction. The core model fills it from the probe port; the host side reports it. */
#ifndef CONTRACT_PHASEPROF_H
#define CONTRACT_PHASEPROF_H

#include "contract/timeprof.h"

/* The most intervals of a hart: if there are more, each two become one. */
enum { PHASE_INTERVALS = 64 };

struct phase_row {
    uint64_t pc; /* as in struct time_row */
    uint64_t time;
};

struct phase_interval {
    unsigned hart;
    uint64_t from, cycles;              /* first cycle, of the run */
    uint64_t retired;                   /* instructions */
    uint64_t handlers;                  /* interrupts and page faults whose handlers begin */
    uint64_t time[TIME_CATEGORY_COUNT]; /* in units of 1/TIME_PER_CYCLE cycles */
    const struct phase_row *row;        /* in ascending order of pc */
    size_t rows;
};

struct phase_profile {
    const char *label;
    unsigned harts;
    const struct phase_interval *interval; /* by hart, then by time */
    size_t intervals;
};

struct phase_result {
    const struct phase_profile *profile;
    unsigned profiles;
    uint64_t cycles; /* of the run */
    bool has_idle;   /* a hart has no thread at times: pc 0 has that time, too */
    struct code code;
};

#endif

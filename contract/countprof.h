/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Count profiles: for each instruction address and each row of countprof.def, the count measured by a profiler, exactly
 * or by sampling. The core side fills them from the probe port; the host side estimates from them, reports them and
 * compares them. */
#ifndef CONTRACT_COUNTPROF_H
#define CONTRACT_COUNTPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/profileme.h"
#include "contract/timeprof.h"

enum count_kind {
#define COUNT(sym, name, event, unit, of_record, signal, meaning) COUNT_##sym,
#include "contract/countprof.def"
    COUNT_KINDS
};

struct count_row {
    uint64_t pc;
    uint64_t samples;            /* of this address; exact: 0 */
    uint64_t count[COUNT_KINDS]; /* exact, or the sum over its samples */
};

struct count_profile {
    const char *label; /* the profiler with its options, as given by the user */
    bool exact;        /* every instruction was counted: the reference for the others */
    uint64_t kinds;    /* bit mask of enum count_kind: the rows that it counts */
    double scale;      /* factor from count to estimate: fetched instructions per sample (S in the ProfileMe paper) */
    double pair_scale; /* factor for rows PAIR(...) and TOGETHER(...): W S in the paper; 0: not counted */
    uint64_t samples;  /* samples delivered; 0 if exact */
    uint64_t lost;     /* samples selected but not delivered */
    uint64_t useless;  /* selections that yield no sample: fetch opportunities without an instruction, and instructions
                        * selected by IID that did not retire */
    uint64_t interrupts;         /* interrupts that delivered the samples */
    unsigned issue_width;        /* sustained issue slots per cycle; 0: unknown */
    const struct count_row *row; /* in ascending order of pc */
    size_t rows;
    const struct count_row *place; /* by place (call_tree.h), in ascending order; places 0: none are known */
    size_t places;
};

/* The profiles of a run. */
struct count_result {
    const struct count_profile *profile;
    unsigned profiles;
    uint64_t cycles; /* of the run */
    struct code code;
};
_Static_assert((int)COUNT_KINDS <= 64, "countprof.def: more rows than a set has bits");

/* The row's name, e.g. "retired" for COUNT_RETIRED; its unit. */
const char *count_name(enum count_kind kind);
const char *count_unit(enum count_kind kind);
/* Returns whether the row is a PAIR(...) or TOGETHER(...). */
bool count_is_of_pairs(enum count_kind kind);
/* The row TOGETHER(own, others), COUNT_KINDS if there is none; the row of the cycles in a phase. */
enum count_kind count_together(enum profileme_phase own, enum profileme_phase others);
enum count_kind count_phase_cycles(enum profileme_phase p);

static inline bool count_has(const struct count_profile *p, enum count_kind kind)
{
    return (p->kinds >> kind & 1) != 0;
}
/* Factor from count to estimate; 1 if exact. */
static inline double count_scale(const struct count_profile *p, enum count_kind kind)
{
    return p->exact ? 1 : count_is_of_pairs(kind) ? p->pair_scale : p->scale;
}

/* Half-width of the window of RETIRED_NEAR, in cycles. */
enum { COUNT_NEAR_CYCLES = 30 };

#endif

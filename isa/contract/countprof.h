/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of counts: for each instruction address, how much a profiler counted of each row of countprof.def, exactly
 * or in samples. The core side fills them from the probe port; the host side estimates from them, reports them and
 * compares them. */
#ifndef ISA_CONTRACT_COUNTPROF_H
#define ISA_CONTRACT_COUNTPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/contract/profileme.h"
#include "isa/contract/timeprof.h"

enum count_kind {
#define COUNT(sym, name, event, unit, of_record, signal, meaning) COUNT_##sym,
#include "isa/contract/countprof.def"
#undef COUNT
    COUNT_KINDS
};

struct count_row {
    uint64_t pc;
    uint64_t samples;            /* of this address; exact: 0 */
    uint64_t count[COUNT_KINDS]; /* exact, or the sum over its samples */
};

struct count_profile {
    const char *label;    /* the profiler with its options, as it was asked for */
    bool exact;           /* every instruction was counted: the reference for the others */
    uint64_t kinds;       /* a bit for each enum count_kind that it counts */
    double scale;         /* an estimate is its count times this: fetched instructions for each sample (paper: S) */
    double pair_scale;    /* the same of rows PAIR(...) and TOGETHER(...): the paper's W S; 0: none are counted */
    uint64_t samples;     /* delivered; 0 where exact */
    uint64_t lost;        /* selected and not delivered */
    uint64_t useless;     /* selected and no sample: fetch opportunities that had no instruction; instructions that were
                           * selected by IID and did not retire */
    uint64_t interrupts;  /* that delivered the samples */
    unsigned issue_width; /* issue slots in a cycle that the core can sustain; 0: not known */
    const struct count_row *row; /* by rising pc */
    size_t rows;
};

/* The profiles of a run. */
struct count_result {
    const struct count_profile *profile;
    unsigned profiles;
    uint64_t cycles; /* of the run */
    struct code code;
};
_Static_assert((int)COUNT_KINDS <= 64, "countprof.def: more rows than a set has bits");

/* The row's name, "retired" for COUNT_RETIRED; its name in the RISC-V performance events draft, or ""; its unit; its
 * meaning. */
const char *count_name(enum count_kind kind);
const char *count_event(enum count_kind kind);
const char *count_unit(enum count_kind kind);
const char *count_meaning(enum count_kind kind);
/* Is it a row PAIR(...) or TOGETHER(...)? */
bool count_is_of_pairs(enum count_kind kind);
/* The row TOGETHER(own, others), COUNT_KINDS if there is none; the row of the cycles in a phase. */
enum count_kind count_together(enum profileme_phase own, enum profileme_phase others);
enum count_kind count_phase_cycles(enum profileme_phase p);

static inline bool count_has(const struct count_profile *p, enum count_kind kind)
{
    return (p->kinds >> kind & 1) != 0;
}
/* What one count of that kind stands for: 1 where exact. */
static inline double count_scale(const struct count_profile *p, enum count_kind kind)
{
    return p->exact ? 1 : count_is_of_pairs(kind) ? p->pair_scale : p->scale;
}

/* Cycles that RETIRED_NEAR looks at on each side. */
enum { COUNT_NEAR_CYCLES = 30 };

#endif

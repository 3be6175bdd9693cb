/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of the co-processor's program: tables of what it has counted, by place, with the estimates and the exact
 * answers, and call paths. The program's driver fills them (host/driver/driver_ops.h). The report, the profile store
 * and what is made from a store read them. */
#ifndef CONTRACT_PROGRAMPROF_H
#define CONTRACT_PROGRAMPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/interval.h"
#include "contract/exact.h"
#include "contract/slot_format.h"

enum {
    PROGRAM_TABLES = 4,      /* maximum of a program */
    PROGRAM_MEMBERS = 8,     /* maximum of a table */
    PROGRAM_PATH_DEPTH = 256 /* maximum of a call path: the youngest functions */
};

/* A member of a table's rows: the numbers that rows have of it, and what these are over all rows. */
struct program_member {
    const char *name;
    const char *unit; /* of estimates and exact answers; NULL: not known */
    uint8_t format;   /* of what the slots hold, enum slot_format */
    bool has_estimate, has_interval, has_exact;
    double estimated; /* sum of the estimates; NAN: they have none */
    double exact; /* sum of the exact answers, of places without a row too; NAN: unknown, or the answers have no sum */
    double error; /* share of the events attributed to the wrong row, as program_score.error */
};

/* A member's numbers in a row. Exact counts are below 2^53. */
struct program_number {
    uint64_t held;   /* by the slots: merged, and decoded as the format says */
    double estimate; /* in the member's unit; NAN: the row has none */
    struct interval interval;
    double exact; /* NAN: the row has none */
};

struct program_row {
    uint64_t key; /* decoded; of a table by slot the slot's number; else 0 */
    double error; /* of the sum of the scored estimates, relative to the exact sum; NAN: that is 0 or unknown */
    struct program_number *number; /* by member */
};

/* Factors from counts to events. */
struct program_scale {
    double period;       /* what a delivered sample stands for: events of the reference, lost selections included */
    double thinned;      /* mean number of events that a sample not dropped stands for */
    bool counts_dropped; /* samples were dropped, and the program's counts include them by weight */
    bool selects;        /* the program selects samples, by a gate or by classes that it keeps */
    bool selects_singly; /* by a gate, and not windows of consecutive samples */
};

/* A table beside its exact reference. Scored are the counts in the unit of the reference's first count; of a layout
 * without one, those in the unit of its first exact count. */
struct program_score {
    const struct exact_kind *reference; /* NULL: exact counts are unknown, or no member has one */
    const char *unit;                   /* of the scored counts */
    uint64_t rows;                      /* rows of the reference with events in a scored count */
    uint64_t rows_profiled;             /* of these, rows for which the program has events */
    uint64_t rows_false;                /* rows of the program with events but without exact ones */
    uint64_t events, events_profiled;   /* exact events; of these, the events of profiled rows */
    uint64_t events_seen;               /* events that the program has counted, before any scaling */
    /* The share of events attributed to the wrong row or count: 1 - sum of min(P, O) over rows and counts, where P
     * and O are the shares of the profile's events and of the exact events. The same measure as for time profiles
     * (host/family/time_score.h); uniform drops do not increase it. 1 if the profile is empty and the reference is not.
     */
    double error;
};

struct program_table {
    const char *name;
    uint8_t key;    /* format of the rows' keys, enum slot_format; FORMAT_NONE: they have none */
    bool by_slot;   /* the slots have no identity but their numbers */
    bool is_scaled; /* the estimates differ from the counts in the slots */
    struct program_scale scale;
    unsigned window;    /* samples of the windows for whose ends the estimates are corrected; 0: they are not */
    uint64_t saturated; /* counts that were the largest number of their lane, and may be too low */
    struct program_score score;
    struct program_member member[PROGRAM_MEMBERS];
    unsigned members;
    struct program_row *row; /* in the order of the report */
    size_t rows;
};

/* Events in a calling context. */
struct program_path {
    uint64_t context, events;
    double exact;    /* NAN: unknown */
    uint64_t base;   /* context of the outermost caller: 0, CONTEXT_UNKNOWN, or one that was not copied */
    uint64_t *entry; /* addresses of the functions called, the youngest call first */
    size_t depth;
};

/* Sums over all instructions, of paired samples (ProfileMe paper, section 5.2.3). */
struct program_overlap {
    double fetched;  /* instructions */
    double progress; /* cycles */
    double useful;   /* issue slots that others used */
    double wasted;   /* issue slots */
};

struct program_pairs {
    unsigned issue_width; /* slots in a cycle */
    struct program_overlap estimated, exact;
    double error; /* share of the wasted slots attributed to the wrong instruction; NAN: `exact` is unknown */
};

struct program_profile {
    const char *label; /* the program */
    struct program_table table[PROGRAM_TABLES];
    unsigned tables;
    bool has_paths, has_exact_paths; /* the program finds call paths; their exact events are known */
    struct program_path *path;       /* in descending order of events */
    size_t paths;
    struct program_pairs pairs;
};

/* Allocates the rows of a table, whose members are declared, with all numbers 0 and unknown errors. */
void program_table_make_rows(struct program_table *t, size_t rows);
void program_table_release(struct program_table *t);
/* Frees a profile on the heap, whose texts are borrowed; p may be NULL. */
void program_profile_free(struct program_profile *p);

/* Whether the keys of a table's rows are addresses of instructions. */
static inline bool program_table_is_by_pc(const struct program_table *t)
{
    return t->key != FORMAT_NONE && slot_format_print(t->key) == PRINT_CODE_ADDRESS;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program costs: bounds on the cycles that a sample takes, from dispatch to done or interrupt, by what the
 * control flow allows; and which of them are exact. The assumptions are in docs/assembler.md. */
#ifndef ASM_COST_H
#define ASM_COST_H

#include <stdio.h>

#include "isa/image.h"

enum { COST_UNBOUNDED = -1 };
#define COST_HUGE (INT64_C(1) << 53) /* stands for all bounds that are larger */

/* A stretch of a path: one word, or a loop as a whole. */
struct cost_step {
    uint64_t words; /* bit i: word i */
    int64_t passes; /* 1 for a single word; COST_UNBOUNDED; else how often the loop is gone round at most */
};

struct cost_path {
    int64_t cycles; /* or COST_UNBOUNDED, or COST_HUGE */
    bool exact;     /* a state and a sample are known with which a sample takes this path, and so long */
    unsigned steps;
    struct cost_step step[ISA_WORDS];
};

/* One way to finish a sample: a word with done or interrupt. */
struct cost_exit {
    uint8_t word;
    bool interrupt;
    struct cost_path best, worst;
};

/* A word where samples start. */
struct cost_class {
    uint32_t classes; /* a bit for each opcode class with this entry; 0: the host starts samples here (struct flow,
                         `phases`) */
    uint8_t entry;
    int64_t best, worst; /* over all exits; both COST_UNBOUNDED where there is none */
    bool best_exact, worst_exact;
    bool may_run_away; /* the bound on a sample's words is beyond ISA_RUNAWAY_WORDS, or there is none */
    unsigned exits;
    struct cost_exit *exit;
};

struct cost {
    unsigned record_bytes, beats; /* core cycles that a sample occupies the path to the buffer */
    unsigned entries;
    struct cost_class entry[OPCLASS_COUNT + ISA_TARGETS];
    unsigned loops;
    uint64_t loop[ISA_WORDS]; /* those without a known bound, as sets of words */
};

void cost_init(struct cost *c, const struct image *im); /* `im` is borrowed and sound; no bound is exact yet */
void cost_fini(struct cost *c);

/* Looks for bounds that are exact: takes some milliseconds for each that is not. */
void cost_find_exact(struct cost *c, const struct image *im);

/* The words of a path that is free of loops, one after the other: their number, or 0 where it has loops. */
unsigned cost_words(const struct cost_path *path, uint8_t word[ISA_WORDS]);

/* Samples in 1000 core cycles that are taken without a drop when each costs `cycles` co-processor cycles and one of
 * these is `divide` core cycles. */
double cost_rate(const struct cost *c, int64_t cycles, unsigned divide);

void cost_print_text(FILE *out, const struct image *im);
void cost_print_json(FILE *out, const struct image *im);

#endif

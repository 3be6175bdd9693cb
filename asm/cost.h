/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cost of a program: bounds on the cycles per sample from dispatch to done or interrupt, from control flow, and whether
 * each bound is exact. docs/assembler.md states the assumptions. */
#ifndef ASM_COST_H
#define ASM_COST_H

#include <stdio.h>

#include "isa/image.h"

enum { COST_UNBOUNDED = -1 };
#define COST_HUGE (INT64_C(1) << 53) /* represents all larger bounds */

/* A step of a path: a word or a whole loop. */
struct cost_step {
    uint64_t words; /* bit i: word i */
    int64_t passes; /* 1 for a single word; for a loop, its maximum number of iterations or COST_UNBOUNDED */
};

struct cost_path {
    int64_t cycles; /* cycles, COST_UNBOUNDED or COST_HUGE */
    bool exact;     /* a state and a sample are known that take this path in this time */
    unsigned steps;
    struct cost_step step[ISA_WORDS];
};

/* An exit: a word with done or interrupt, which completes a sample. */
struct cost_exit {
    uint8_t word;
    bool interrupt;
    struct cost_path best, worst;
};

/* An entry: a word where samples start. */
struct cost_class {
    uint32_t classes; /* bit mask of opcode classes with this entry; 0: set by the host (struct flow, `phases`) */
    uint8_t entry;
    int64_t best, worst; /* over all exits; COST_UNBOUNDED without an exit */
    bool best_exact, worst_exact;
    bool may_run_away; /* a sample can take more than ISA_RUNAWAY_WORDS words, or has no bound */
    unsigned exits;
    struct cost_exit *exit;
};

struct cost {
    unsigned record_bytes, beats; /* size of a sample; core cycles for which it occupies the path to the buffer */
    unsigned entries;
    struct cost_class entry[OPCLASS_COUNT + ISA_TARGETS];
    unsigned loops;
    uint64_t loop[ISA_WORDS]; /* loops without a known bound, as sets of words */
};

void cost_init(struct cost *c, const struct image *im); /* `im` is valid and borrowed; no bound is marked exact */
void cost_fini(struct cost *c);

/* Searches for witnesses and marks exact bounds. The search takes some milliseconds for each bound that is not
 * exact. */
void cost_find_exact(struct cost *c, const struct image *im);

/* Lists the words of a loop-free path; returns their number, or 0 if the path has loops. */
unsigned cost_words(const struct cost_path *path, uint8_t word[ISA_WORDS]);

/* Sustainable rate in samples per 1000 core cycles without drops, if each sample takes `cycles` co-processor cycles of
 * `divide` core cycles each. */
double cost_rate(const struct cost *c, int64_t cycles, unsigned divide);

void cost_print_text(FILE *out, const struct image *im);
void cost_print_json(FILE *out, const struct image *im);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program costs: bounds on the cycles that a sample takes, from dispatch to done or interrupt, by what the control flow allows.
 * The assumptions are in docs/assembler.md. */
#ifndef ASM_COST_H
#define ASM_COST_H

#include <stdio.h>

#include "isa/image.h"

enum { COST_UNBOUNDED = -1 };

/* A stretch of a path: one word, or a loop as a whole. */
struct cost_step {
    uint64_t words;     /* bit i: word i */
    int64_t passes;     /* 1 for a single word; COST_UNBOUNDED; else how often the loop is gone round at most */
};

struct cost_path {
    int64_t cycles;     /* or COST_UNBOUNDED */
    unsigned steps;
    struct cost_step step[ISA_WORDS];
};

/* One way to finish a sample: a word with done or interrupt. */
struct cost_exit {
    uint8_t word;
    bool interrupt;
    struct cost_path best, worst;
};

struct cost_class {
    uint32_t classes;   /* a bit for each opcode class with this entry */
    uint8_t entry;
    int64_t best, worst; /* over all exits; both COST_UNBOUNDED where there is none */
    unsigned exits;
    struct cost_exit *exit;
};

struct cost {
    unsigned record_bytes, beats; /* core cycles that a sample occupies the path to the buffer */
    unsigned entries;
    struct cost_class entry[OPCLASS_COUNT];
    unsigned loops;
    uint64_t loop[ISA_WORDS];     /* those without a known bound, as sets of words */
};

void cost_init(struct cost *c, const struct image *im); /* `im` is borrowed and sound */
void cost_fini(struct cost *c);

/* Thousandths of samples in 1000 core cycles that are taken without a drop when each costs `cycles` co-processor cycles and one of
 * these is `divide` core cycles. */
uint64_t cost_rate_milli(const struct cost *c, int64_t cycles, unsigned divide);

void cost_print_text(FILE *out, const struct image *im);
void cost_print_json(FILE *out, const struct image *im);

#endif

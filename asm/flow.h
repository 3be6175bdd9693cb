/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control-flow graph of a program image, and its loops. A program has at most 64 words, so a set of words is a 64-bit
 * mask, bit i for word i. Private to asm/; used by check.c and cost.c. */
#ifndef ASM_FLOW_H
#define ASM_FLOW_H

#include "isa/image.h"

typedef uint64_t word_set;

enum { FLOW_NAME = IMAGE_PLACE };

struct flow {
    const struct image *im; /* borrowed; valid */
    struct uop u[ISA_WORDS];
    struct isa_use use[ISA_WORDS];
    int8_t fall[ISA_WORDS], to[ISA_WORDS]; /* successors: fall-through and branch target; -1: none */
    word_set next[ISA_WORDS], before[ISA_WORDS];
    word_set exits;                     /* words that can complete the sample: done or interrupt */
    word_set conditional;               /* words with a conditional branch */
    word_set from_class[OPCLASS_COUNT]; /* words reachable by samples of each class */
    word_set phases; /* addresses in target registers that no word branches through: there the host may start samples */
    word_set entries; /* entries of the classes, and phases */
    word_set reached; /* words reachable from any entry */
};

void flow_init(struct flow *f, const struct image *im);

static inline word_set word_bit(unsigned word) { return (word_set)1 << word; }
/* The lowest word of a set that is not empty. */
static inline unsigned word_lowest(word_set s) { return (unsigned)__builtin_ctzll(s); }
static inline unsigned word_count(word_set s) { return (unsigned)__builtin_popcountll(s); }

/* Words reachable from `starts` within `within`, `starts` included; and words that can reach them. */
word_set flow_forward(const struct flow *f, word_set starts, word_set within);
word_set flow_backward(const struct flow *f, word_set starts, word_set within);
/* Strongly connected component of `word` within the given set; empty if it is on no cycle. */
word_set flow_cycle(const struct flow *f, unsigned word, word_set within);

/* Loop bound: a word that steps an index register, which no other word of the loop writes, and leaves the loop at the
 * end of the register's range. */
struct flow_bound {
    unsigned word;
    uint32_t passes;
};
/* Returns false if the loop has no such word. */
bool flow_find_bound(const struct flow *f, word_set loop, struct flow_bound *b);

/* Bit masks of value and index registers that a word reads and writes. */
struct flow_registers {
    unsigned values_read, values_written, indexes_read, indexes_written;
};
struct flow_registers flow_registers(const struct flow *f, unsigned word);
/* Words that some path from an entry reaches without passing one of `writers`. */
word_set flow_before(const struct flow *f, word_set writers);
/* Finds registers that carry values between samples: written by some word, and possibly read before written. */
void flow_find_kept(const struct flow *f, unsigned *values, unsigned *indexes);

/* Removes the next register from the sets, of which one is not empty, values first; returns its declared or
 * architectural name. */
const char *flow_next_kept(const struct flow *f, unsigned *values, unsigned *indexes, char plain[8]);

/* Name of a word: "look+2", or "@7" if no label precedes it. */
const char *flow_name(const struct flow *f, unsigned word, char name[FLOW_NAME]);

#endif

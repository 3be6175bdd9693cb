/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control flow of a program image: which word may follow which, and the loops. A program has at most 64 words, so a
 * set of words is one 64-bit number, bit i for word i. Private to asm/: check.c and cost.c look at programs through it.
 */
#ifndef ASM_FLOW_H
#define ASM_FLOW_H

#include "isa/image.h"

typedef uint64_t word_set;

enum { FLOW_NAME = IMAGE_PLACE };

struct flow {
    const struct image *im; /* borrowed; a sound one */
    struct uop u[ISA_WORDS];
    struct isa_use use[ISA_WORDS];
    int8_t fall[ISA_WORDS], to[ISA_WORDS]; /* the next word without and with the branch; -1: none */
    word_set next[ISA_WORDS], before[ISA_WORDS];
    word_set exits;                     /* words that can finish the sample: done or interrupt */
    word_set conditional;               /* words with a conditional branch */
    word_set from_class[OPCLASS_COUNT]; /* what the samples of a class can reach */
    word_set phases;  /* what a target register holds that no word branches by: there the host may start samples */
    word_set entries; /* of the classes, and the phases */
    word_set reached; /* from any entry */
};

void flow_init(struct flow *f, const struct image *im);

static inline word_set word_bit(unsigned word) { return (word_set)1 << word; }
/* The lowest word of a set that is not empty. */
static inline unsigned word_lowest(word_set s) { return (unsigned)__builtin_ctzll(s); }
static inline unsigned word_count(word_set s) { return (unsigned)__builtin_popcountll(s); }

/* What can be reached from `starts`, themselves included, without leaving `within`; and what can reach them. */
word_set flow_forward(const struct flow *f, word_set starts, word_set within);
word_set flow_backward(const struct flow *f, word_set starts, word_set within);
/* The largest set of words around `word` that can all reach each other within the set given: empty where it lies on no
 * cycle. */
word_set flow_cycle(const struct flow *f, unsigned word, word_set within);

/* The word that ends a loop after a number of passes: it steps an index register that nothing else in the loop writes,
 * and leaves at the end of the register's range. */
struct flow_bound {
    unsigned word;
    uint32_t passes;
};
/* False where no such word is known. */
bool flow_find_bound(const struct flow *f, word_set loop, struct flow_bound *b);

/* What a word reads and writes of the value and the index registers: a bit for each register. */
struct flow_registers {
    unsigned values_read, values_written, indexes_read, indexes_written;
};
struct flow_registers flow_registers(const struct flow *f, unsigned word);
/* The words that some path from an entry reaches with none of `writers` before them. */
word_set flow_before(const struct flow *f, word_set writers);
/* Registers kept between samples: that words write, and that a sample can read before it has written them. */
void flow_find_kept(const struct flow *f, unsigned *values, unsigned *indexes);

/* The name of the next of them, declared or plain, and takes it out of the set; NULL where there is none. Values come
 * first. */
const char *flow_next_kept(const struct flow *f, unsigned *values, unsigned *indexes, char plain[8]);

/* "look+2", or "@7" where no label stands before. */
const char *flow_name(const struct flow *f, unsigned word, char name[FLOW_NAME]);

#endif

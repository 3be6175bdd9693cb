/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Can the data take a path through a program? A witness is a state and a sample with which they do. Private to asm/ and
 * the tests. */
#ifndef ASM_WITNESS_H
#define ASM_WITNESS_H

#include "asm/flow.h"
#include "isa/semantics.h"

struct witness {
    struct isa_machine start; /* with the sample at the head; its arrays are the smallest that the program runs on */
    word_set taken;           /* words of the path whose branch is taken */
};

/* Tries states and samples, the same ones each time: false where none of them takes the path, which does not say that
 * there is none. `word` is the path, of `count` words, each but once, the last of which finishes the sample. */
bool witness_find(const struct flow *f, const uint8_t *word, unsigned count, struct witness *out);

#endif

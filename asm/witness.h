/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Feasibility of paths through a program. A witness is a state and a sample that take the path. Private to asm/ and the
 * tests. */
#ifndef ASM_WITNESS_H
#define ASM_WITNESS_H

#include "asm/flow.h"
#include "isa/semantics.h"

struct witness {
    struct isa_machine start; /* initial state with the sample at the head; minimum array sizes for the program */
    word_set taken;           /* words of the path whose branch is taken */
};

/* Tries a deterministic sequence of states and samples. False if none of them takes the path, which does not prove that
 * no witness exists. `word` is the path of `count` distinct words, the last of which completes the sample. */
bool witness_find(const struct flow *f, const uint8_t *word, unsigned count, struct witness *out);

#endif

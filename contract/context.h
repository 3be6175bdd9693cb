/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calling contexts as 32-bit numbers: a call in a context creates a child context, whose number is a hash of the
 * parent's number and the function. Number 0 is the context of all functions that were active when the observation
 * began. The exact reference
 * `contexts` and programs/callstack.pasm compute the same numbers, the latter with the operations of the
 * co-processor. */
#ifndef CONTRACT_CONTEXT_H
#define CONTRACT_CONTEXT_H

#include <stdint.h>

/* Unknown context: of the co-processor, after a lost call or return. */
enum { CONTEXT_UNKNOWN = 1 };

/* The part of a child's number that depends on the parent; `low`: low 16 bits of the function. */
static inline uint32_t context_of_parent(uint32_t parent, uint32_t low)
{
    return 4 * parent + (((parent >> 16 | low) & 0xffff) << 16 | (parent & 0xffff));
}

/* Number of the child context for a call of `function`, the sample_pc32 of its address. */
static inline uint32_t context_child(uint32_t parent, uint32_t function)
{
    return function + context_of_parent(parent, function);
}

/* The function of a context, from its number and its parent's number. */
static inline uint32_t context_function(uint32_t context, uint32_t parent)
{
    uint32_t low = (context - 4 * parent - parent) & 0xffff;
    return context - context_of_parent(parent, low);
}

#endif

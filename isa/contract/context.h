/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calling contexts as numbers of 32 bits: a function called in a context is a new one, whose number is a hash of both.
 * Number 0 is the context in which the observation begins. The exact reference `contexts` and programs/callstack.pasm
 * compute the same numbers, the latter with the operations of the co-processor. */
#ifndef ISA_CONTRACT_CONTEXT_H
#define ISA_CONTRACT_CONTEXT_H

#include <stdint.h>

/* The number of a context that is not known: behind a return from the function in which the observation has begun, and
 * what the co-processor has behind a lost call or return. */
enum { CONTEXT_UNKNOWN = 1 };

/* What of the number is the parent's; `low` are the low 16 bits of the function. */
static inline uint32_t context_of_parent(uint32_t parent, uint32_t low)
{
    return 4 * parent + (((parent >> 16 | low) & 0xffff) << 16 | (parent & 0xffff));
}

/* The number of the context in which a context has called a function; `function` is sample_pc32 of its address. */
static inline uint32_t context_child(uint32_t parent, uint32_t function)
{
    return function + context_of_parent(parent, function);
}

/* The function of a context, given its number and its parent's. */
static inline uint32_t context_function(uint32_t context, uint32_t parent)
{
    uint32_t low = (context - 4 * parent - parent) & 0xffff;
    return context - context_of_parent(parent, low);
}

#endif

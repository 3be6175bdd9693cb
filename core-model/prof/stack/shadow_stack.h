/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stacks of calls of a guest's threads. Private to the observer `calls` (call_tracker.h, which says the rules). */
#ifndef CORE_MODEL_PROF_SHADOW_STACK_H
#define CORE_MODEL_PROF_SHADOW_STACK_H

#include "core-model/prof/stack/call_tracker.h"

/* An activation of a function: a call without its return yet. */
struct shadow_call {
    uint64_t number;             /* of all activations, from 1 */
    uint64_t sp, return_address; /* the stack pointer at the call */
    uint64_t entry, fp;          /* where the call went, and the frame pointer at the call; 0: unknown */
    uint32_t node;
    uint32_t walk; /* for the use of an observer */
};

/* The thread with this number, which is new at the first call. */
struct call_thread *shadow_stack_thread(struct call_threads *s, uint64_t number);
/* An instruction of PROBE_TRANSFERS has retired. */
void shadow_stack_transfer(struct call_threads *s, struct call_thread *t, const struct probe_transfer *r);
/* The kernel has let the thread enter the signal handlers that it had not entered at the last call; at the first one it
 * has entered none. */
void shadow_stack_enter_handlers(struct call_threads *s, struct call_thread *t, const struct probe_kernel *k);
/* Node of the next instruction. */
uint32_t shadow_stack_node(const struct call_thread *t);
/* The activations on the stack in use, youngest last; valid until the next transfer. */
struct shadow_call *shadow_stack_calls(const struct call_thread *t, size_t *count);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shadow stacks: the calling context of each instruction that retires, exactly, for every thread of the guest, from the
 * calls, returns and stack pointers of the true path and from what the kernel does (probe.h: transfer, kernel).
 *
 * A return goes to the return address of the youngest call, with the stack pointer of that call. Any other return
 * leaves the calls below its stack pointer (longjmp, C++ exceptions), or resumes another stack of the thread
 * (co-routines). A jump to another function (tail call, stub of a procedure linkage table) keeps the context of its
 * function's call. A signal handler is called by the instruction before which it was entered. The calls that were
 * active when the observation began are those of call_threads_add. */
#ifndef CORE_MODEL_PROF_CALL_TRACKER_H
#define CORE_MODEL_PROF_CALL_TRACKER_H

#include "contract/call_tree.h"
#include "core-model/prof/observer.h"

/* The shadow stacks of the guest's threads, which may run on any hart. */
struct call_threads;
/* `tree` is borrowed. */
struct call_threads *call_threads_new(struct call_tree *tree);
void call_threads_free(struct call_threads *t); /* NULL is allowed */
/* Adds a call that is active in a thread when the observation begins, after its caller's; entry: of the function that
 * was called, 0: unknown. */
void call_threads_add(struct call_threads *t, uint64_t thread, uint64_t call, uint64_t entry, uint64_t return_address,
                      uint64_t sp);

/* The number of the latest changes of context that are kept: more than the transfers in flight, among them stores that
 * wait for the cache after they have retired. */
enum { CALL_CHANGES = 1 << 13 };

/* After `retired` instructions and the one numbered `seq` the node is another. */
struct call_change {
    uint64_t retired, seq, pc; /* pc: of the transfer; 0: the kernel has changed it */
    uint32_t before;           /* node until then */
};

/* The observer of one hart. */
struct call_tracker {
    struct observer base;
    struct core *core;
    struct call_threads *threads;
    struct call_thread *thread;              /* NULL: none runs */
    uint32_t node;                           /* of the next instruction that retires */
    uint64_t changes;                        /* number of all */
    struct call_change change[CALL_CHANGES]; /* by number modulo CALL_CHANGES */
};

/* To be added to a set of observers before those that ask it, which are then called after it. */
struct call_tracker *call_tracker_new(struct call_threads *threads);

/* The node of the instruction before whose retirement `retired` instructions have retired (core_retired), or of the
 * next one; of an instruction by its number, whether it has retired or was squashed. */
uint32_t call_tracker_at(const struct call_tracker *t, uint64_t retired);
uint32_t call_tracker_at_seq(const struct call_tracker *t, uint64_t seq);
/* The node of the instruction at pc that retired last before the one numbered `seq`. */
uint32_t call_tracker_before_seq(const struct call_tracker *t, uint64_t seq, uint64_t pc);
/* Index of the first change that `retired` instructions have not reached; t->changes: none. */
uint64_t call_tracker_next_change(const struct call_tracker *t, uint64_t retired);

static inline const struct call_change *call_tracker_change(const struct call_tracker *t, uint64_t number)
{
    return &t->change[number % CALL_CHANGES];
}

/* The node between this change and the one before it. */
static inline uint32_t call_tracker_node_until(const struct call_tracker *t, uint64_t change)
{
    return change == t->changes ? t->node : call_tracker_change(t, change)->before;
}

#endif

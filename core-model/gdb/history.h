/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded instructions of the functional core, which can be taken back: gdb's reverse execution. A system call, a
 * fault that the guest handles and another thread's turn are the beginning of what is recorded, because the effects of
 * the system outside the guest cannot be taken back. What has been taken back is executed again when the guest runs on.
 */
#ifndef CORE_MODEL_GDB_HISTORY_H
#define CORE_MODEL_GDB_HISTORY_H

#include "core-model/linux/guest.h"

/* Most instructions that are kept. */
enum { GDB_HISTORY_MAX = 1 << 20 };

/* An instruction that has executed. */
struct gdb_moment {
    uint64_t pc;
    struct rv_insn insn;
    struct rv_outcome outcome;
};

/* All zero: nothing is recorded. */
struct gdb_history {
    struct gdb_moment *moment; /* GDB_HISTORY_MAX of them, a ring; owned; NULL: it does not record */
    uint64_t end, count;       /* position behind the last one; number kept */
};

void gdb_history_begin(struct gdb_history *h);
void gdb_history_free(struct gdb_history *h);
/* What was recorded cannot be taken back any more. */
void gdb_history_forget(struct gdb_history *h);
/* guest_run_to that records. */
enum rv_trap gdb_history_run(struct gdb_history *h, struct guest *g, uint64_t max_insts, uint64_t stop_pc);
/* Takes the last instruction back, which is valid until the next run; NULL: there is none. */
const struct gdb_moment *gdb_history_undo(struct gdb_history *h, struct guest *g);

#endif

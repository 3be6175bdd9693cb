/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breakpoints and watchpoints that gdb has set. A breakpoint is an ebreak in the guest's memory, on every core, as
 * ptrace debuggers insert them; what gdb reads has the instruction that it replaces. */
#ifndef CORE_MODEL_GDB_BREAKS_H
#define CORE_MODEL_GDB_BREAKS_H

#include "core-model/linux/tracing.h"

/* Kinds as numbered in the packets Z and z. */
enum gdb_break { GDB_BREAK_SOFTWARE, GDB_BREAK_HARDWARE, GDB_WATCH_WRITE, GDB_WATCH_READ, GDB_WATCH_ACCESS };

enum { GDB_BREAKS_MAX = 1024, GDB_WATCHES_MAX = 64 };

struct gdb_point {
    uint64_t address;
    uint64_t size_bytes; /* of a breakpoint: 2 or 4 */
    enum gdb_break kind;
    uint8_t replaced[4]; /* instructions of the guest, where the ebreak is */
    bool inserted;       /* the ebreak is in memory */
    bool wanted;         /* it is to be, when the guest has stopped */
};

struct gdb_breaks {
    struct gdb_point breaks[GDB_BREAKS_MAX], watches[GDB_WATCHES_MAX];
    size_t break_count, watch_count;
};

/* Return 0 or an error number. Both accept repeated requests. Not `now`: the memory is not changed before
 * gdb_breaks_apply. */
int gdb_breaks_insert(struct gdb_breaks *b, struct guest *g, const struct gdb_point *p, bool now);
int gdb_breaks_remove(struct gdb_breaks *b, struct guest *g, const struct gdb_point *p, bool now);
/* Whether the memory is as requested; makes it so, as far as pages are mapped. */
bool gdb_breaks_are_applied(const struct gdb_breaks *b);
void gdb_breaks_apply(struct gdb_breaks *b, struct guest *g);
/* Removes all, and forgets all: the memory has gone. */
void gdb_breaks_remove_all(struct gdb_breaks *b, struct guest *g);
void gdb_breaks_forget(struct gdb_breaks *b);
/* The breakpoint at pc; NULL: none. */
const struct gdb_point *gdb_breaks_at(const struct gdb_breaks *b, uint64_t pc);
/* guest_read_bytes and guest_write_bytes of memory without the breakpoints. */
size_t gdb_breaks_read(const struct gdb_breaks *b, const struct guest *g, uint64_t address, void *to,
                       size_t size_bytes);
size_t gdb_breaks_write(struct gdb_breaks *b, struct guest *g, uint64_t address, const void *from, size_t size_bytes);

/* An access of an instruction. */
struct gdb_access {
    uint64_t address;
    unsigned size_bytes; /* 0: it accesses no memory */
    bool reads, writes;
};
/* The watchpoint that the access meets; NULL: none. */
const struct gdb_point *gdb_breaks_met(const struct gdb_breaks *b, const struct gdb_access *a);

#endif

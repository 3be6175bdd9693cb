/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is profiled: the guest, the core it runs on, and the names in its files. */
#ifndef EMU_PCEMU_TARGET_H
#define EMU_PCEMU_TARGET_H

#include "core-model/core.h"
#include "emu/pcemu/machine.h"
#include "host/symbols.h"

struct target {
    const char *path; /* the ELF file; borrowed; NULL: there is no guest */
    char *debug_path; /* where debug files are looked for: that of symbols_new */
    struct guest guest;
    bool started;            /* the guest is there */
    struct core *core;       /* NULL: none, or none yet */
    struct symbols *symbols; /* NULL: not opened */
    size_t libraries;        /* of the guest's images, those that the symbols have */
};

/* Loads the guest, or ends pcemu. `keeps_interrupt`: Ctrl-C is not the guest's. */
void target_start(struct target *t, const struct options *o, const struct machine_config *m, bool keeps_interrupt);
void target_release(struct target *t);

/* Debug files: beside each file, in its subfolder .debug, in --debug-dir, and in the sysroot's /usr/lib/debug. To be
 * called before the next. */
void target_set_debug_folders(struct target *t, const struct options *o);
/* The file's names and lines, opened when first needed; NULL without a guest. */
struct symbols *target_symbols(struct target *t);
/* Adds the libraries that the guest has mapped since the last call to the symbols, if these are open. */
void target_find_libraries(struct target *t);

/* Prints which signal ended the guest and, for a fault, where, its registers and its callers, on standard error. */
void target_print_fault(struct target *t);

/* Eight bytes of the guest's memory, a struct memory, which ctx is. */
bool target_read_memory(void *ctx, uint64_t address, uint64_t *value);
/* The address of a function of the guest's, or a number. ctx is the target. */
bool target_resolve(void *ctx, const char *name, uint64_t *pc);
/* The same, or the end of pcemu, naming the option. */
uint64_t target_place(struct target *t, const char *option, const char *name);

#endif

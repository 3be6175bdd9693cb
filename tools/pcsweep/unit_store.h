/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile store of an estimate's units: each is a run, in an epoch that is named after the unit's first
 * instruction. */
#ifndef TOOLS_PCSWEEP_UNIT_STORE_H
#define TOOLS_PCSWEEP_UNIT_STORE_H

#include "host/store/store.h"

struct unit_store_entry {
    uint64_t first; /* instruction of the unit */
    int64_t run;    /* the last one of the unit */
};

struct unit_store {
    struct unit_store_entry *entry; /* in ascending order */
    size_t entries;
};

/* What names the unit's run as of pcemu --collect; the caller frees it. */
char *unit_store_place(const char *path, uint64_t first);
/* The units that the store has; none, if there is no such file. The caller releases them. */
enum status unit_store_list(struct unit_store *u, const char *path, struct errmsg *err) MUST_USE;
void unit_store_release(struct unit_store *u);
/* The run of a unit; 0: there is none. */
int64_t unit_store_run(const struct unit_store *u, uint64_t first);

#endif

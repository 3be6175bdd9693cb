/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions and inlined calls of an ELF file, from DWARF, as a profile keeps them (struct profile_scope). */
#ifndef HOST_SYMBOLS_SCOPES_H
#define HOST_SYMBOLS_SCOPES_H

#include <elfutils/libdw.h>
#include <stdint.h>

#include "host/profile/profile.h"

struct scopes {
    struct profile_scope *scope;
    size_t count;
    struct profile_scope_range *range; /* in ascending order of start */
    size_t ranges;
    char *missing; /* a file of split debugging information (-gsplit-dwarf) that is not there or not read; NULL: none */
    bool is_compressed; /* one is there, and its compressed sections are not read (host/symbols/debug_sections.h) */
    void **owned;       /* texts */
    size_t owns;
};

/* Reads the scopes of a file's debugging information. Their source files are added to `p`. Without debugging
 * information there are none. Addresses are those of the file plus `bias`. Split debugging information is searched in
 * the folder of the file, `path`, and in that of its compilation. The caller calls scopes_free. */
void scopes_read(struct scopes *s, Dwarf *dwarf, const char *path, uint64_t bias, struct profile *p);
void scopes_free(struct scopes *s);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact references, the rows of exact.def: counts by key, which the core model fills from the probe port and the host
 * side compares with the contents of a program's slots. */
#ifndef CONTRACT_EXACT_H
#define CONTRACT_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum exact_reference {
#define EXACT(sym, ...) EXACT_##sym,
#include "contract/exact.def"
    EXACT_REFERENCES
};
enum { EXACT_NONE = 0xff }; /* no reference, key or count */

/* Keys and counts of each reference, numbered from 0, e.g. EXACT_KEY_BRANCHES_PC and EXACT_BRANCHES_TAKEN. The
 * enumerators EXACT_AT_... are row numbers. */
enum {
#define EXACT(sym, ...) EXACT_AT_KEYS_##sym, EXACT_BELOW_KEYS_##sym = EXACT_AT_KEYS_##sym - 1,
#define EXACT_KEY(reference, sym, ...) EXACT_AT_KEY_##reference##_##sym,
#include "contract/exact.def"
    EXACT_KEY_ROWS
};
enum {
#define EXACT(sym, ...) EXACT_AT_COUNTS_##sym, EXACT_BELOW_COUNTS_##sym = EXACT_AT_COUNTS_##sym - 1,
#define EXACT_COUNT(reference, sym, ...) EXACT_AT_##reference##_##sym,
#include "contract/exact.def"
    EXACT_COUNT_ROWS
};
enum {
#define EXACT_KEY(reference, sym, ...) \
    EXACT_KEY_##reference##_##sym = (int)EXACT_AT_KEY_##reference##_##sym - (int)EXACT_AT_KEYS_##reference,
#define EXACT_COUNT(reference, sym, ...) \
    EXACT_##reference##_##sym = (int)EXACT_AT_##reference##_##sym - (int)EXACT_AT_COUNTS_##reference,
#include "contract/exact.def"
};
enum { EXACT_KEYS = 3, EXACT_COUNTS = 8 }; /* maxima per reference */

/* A row EXACT with its keys and counts. All strings are static; a name of NULL ends a list. */
struct exact_kind {
    const char *name, *meaning;
    struct {
        const char *name, *meaning;
        uint8_t format; /* enum slot_format */
    } key[EXACT_KEYS + 1];
    struct {
        const char *name, *unit, *meaning;
    } count[EXACT_COUNTS + 1];
};
extern const struct exact_kind exact_kinds[EXACT_REFERENCES];

/* One row: keys and counts in the order of exact.def; addresses are 64 bits. */
struct exact_row {
    uint64_t key[EXACT_KEYS], count[EXACT_COUNTS];
};

/* A reference of a run. */
struct exact_source {
    enum exact_reference reference;
    void *ctx;
    /* Allocates an array of all current rows in unspecified order, which the caller frees; returns their number. */
    size_t (*rows)(void *ctx, struct exact_row **rows);
};

/* The number of keys and of counts of a reference. */
unsigned exact_key_count(enum exact_reference e);
unsigned exact_count_count(enum exact_reference e);
/* Index of the reference of this name, or -1. */
int exact_find(const char *name);
enum { EXACT_NAME_LIST = 256 }; /* characters that exact_name_list may write, with the end */
/* Writes the names of the keys or of the counts of a reference into `text`, separated by commas, and returns it. */
const char *exact_name_list(enum exact_reference e, bool keys, char text[EXACT_NAME_LIST]);
/* Returns whether the count is an event of the reference, not a sum over events. */
bool exact_is_event(enum exact_reference e, unsigned count);

#endif

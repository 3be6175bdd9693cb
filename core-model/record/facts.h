/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a recording says about its run: in the part HEAD what is known before the run, in TAIL what is known after it.
 * Both are pairs of zero-terminated strings, a name and a value; docs/recording.md lists the names. */
#ifndef CORE_MODEL_RECORD_FACTS_H
#define CORE_MODEL_RECORD_FACTS_H

#include "core-model/core.h"
#include "core-model/record/column.h"
#include "core-model/stats.h"

/* Known before the run. */
struct record_head {
    struct core_config config;
    const char *machine;              /* the configuration in words */
    const char *guest;                /* the ELF file, as it was named */
    uint64_t guest_bytes, guest_hash; /* its length, and record_hash of its contents */
    uint64_t bias;                    /* what was added to its addresses */
    bool values;                      /* operand values are recorded */
};

/* Known when the run is over. */
struct record_tail {
    uint64_t cycles, instructions;
    bool partial; /* the run was cut short */
    struct core_stats stats;
    struct guest_image *image; /* libraries; borrowed */
    size_t images;
};

void facts_put(struct column *c, const char *name, const char *value);
void facts_put_number(struct column *c, const char *name, uint64_t value);
void facts_put_head(struct column *c, const struct record_head *h);
void facts_put_tail(struct column *c, const struct record_tail *t);

/* Is it a sequence of pairs? The other functions require it. */
bool facts_are_sound(const struct column_cursor *c);
/* The value of that name, or NULL. */
const char *facts_find(const struct column_cursor *c, const char *name);
/* False if the name is missing, or its value is no number. */
bool facts_number(const struct column_cursor *c, const char *name, uint64_t *value);
/* The texts of *h are those of the facts. Errors name the fact. */
enum status facts_get_head(const struct column_cursor *c, struct record_head *h, struct errmsg *err) MUST_USE;
/* The images are the caller's, for facts_free_tail. */
enum status facts_get_tail(const struct column_cursor *c, struct record_tail *t, struct errmsg *err) MUST_USE;
void facts_free_tail(struct record_tail *t);

/* A hash of `size_bytes` bytes behind those of which `hash` is the hash; 0 at first (FNV-1a). */
uint64_t record_hash(uint64_t hash, const void *bytes, size_t size_bytes);

#endif

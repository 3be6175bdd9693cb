/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metadata of a recorded run: part HEAD, known before the run, and part TAIL, known at its end. Both consist of pairs
 * of zero-terminated strings, name and value; docs/recording.md lists the names. */
#ifndef CORE_MODEL_RECORD_FACTS_H
#define CORE_MODEL_RECORD_FACTS_H

#include "core-model/core.h"
#include "core-model/record/column.h"
#include "core-model/stats.h"

/* Known before the run. */
struct record_head {
    struct core_config config;
    const char *machine;              /* description of the configuration */
    const char *guest;                /* path of the ELF file as given on the command line */
    uint64_t guest_bytes, guest_hash; /* its length; FNV-1a of its contents, exclusive or that of no bytes */
    uint64_t bias;                    /* load bias */
    bool values;                      /* operand values are recorded */
};

/* Known at the end of the run. */
struct record_tail {
    uint64_t cycles, instructions;
    bool partial; /* the run was cut short */
    struct core_stats stats;
    struct guest_image *image; /* shared libraries; borrowed */
    size_t images;
};

void facts_put(struct column *c, const char *name, const char *value);
void facts_put_number(struct column *c, const char *name, uint64_t value);
void facts_put_head(struct column *c, const struct record_head *h);
void facts_put_tail(struct column *c, const struct record_tail *t);

/* Returns whether the bytes are a sequence of pairs, which the other functions require. */
bool facts_are_sound(const struct column_cursor *c);
/* The value of this name, or NULL. */
const char *facts_find(const struct column_cursor *c, const char *name);
/* Returns false if the name is missing or its value is not a number. */
bool facts_number(const struct column_cursor *c, const char *name, uint64_t *value);
/* Parses HEAD; the texts of *h are borrowed from the column. Error messages name the entry. */
enum status facts_get_head(const struct column_cursor *c, struct record_head *h, struct errmsg *err) MUST_USE;
/* Parses TAIL; the caller frees the images with facts_free_tail. */
enum status facts_get_tail(const struct column_cursor *c, struct record_tail *t, struct errmsg *err) MUST_USE;
void facts_free_tail(struct record_tail *t);

#endif

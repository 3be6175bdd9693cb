/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings written part by part: their checksums are valid, whatever their parts hold. */
#ifndef TESTS_UNIT_RECORDING_H
#define TESTS_UNIT_RECORDING_H

#include "core-model/record/facts.h"
#include "core-model/record/part.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/assertions.h"

/* Offset of the first part. */
enum { RECORDING_HEAD = RECORD_MAGIC_BYTES + 4 };

struct recording {
    FILE *out;
    char *text; /* the file, after recording_end */
    size_t bytes;
    struct part_writer *parts;
    struct column column[RECORD_COLUMNS], facts; /* of the next part */
};

static inline struct record_head recording_head(void)
{
    struct record_head head = {.machine = "a machine", .guest = "a guest"};
    core_config_default(&head.config);
    return head;
}

static inline void recording_begin(struct recording *r)
{
    *r = (struct recording){0};
    r->out = open_memstream(&r->text, &r->bytes);
    r->parts = part_writer_new(r->out);
    record_begin_file(r->out);
}

static inline void recording_end(struct recording *r)
{
    part_writer_free(r->parts);
    fclose(r->out);
    for (unsigned n = 0; n < RECORD_COLUMNS; n++)
        free(r->column[n].byte);
    free(r->facts.byte);
}

/* Replaces the value of a fact of the next part; NULL: removes the fact. */
static inline void recording_set(struct recording *r, const char *name, const char *value)
{
    struct column old = r->facts;
    r->facts = (struct column){0};
    for (const char *at = (const char *)old.byte, *end = at + old.size; at != end;) {
        const char *had = at + strlen(at) + 1;
        const char *now = strcmp(at, name) == 0 ? value : had;
        if (now != NULL)
            facts_put(&r->facts, at, now);
        at = had + strlen(had) + 1;
    }
    free(old.byte);
}

/* Puts the same byte several times. */
static inline void recording_fill(struct column *c, uint8_t byte, size_t times)
{
    while (times-- > 0)
        column_put(c, byte);
}

/* The whole message. */
static inline void expect_message(const struct errmsg *err, const char *message)
{
    ck_assert_msg(strcmp(err->text, message) == 0, "expected \"%s\", found \"%s\"", message, err->text);
}

#endif

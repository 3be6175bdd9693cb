/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exports of a profile in memory, for the tests of the formats. */
#ifndef TESTS_UNIT_EXPORTED_H
#define TESTS_UNIT_EXPORTED_H

#include <stdlib.h>
#include <zlib.h>

#include "host/export/export.h"
#include "host/export/pprof.pb-c.h"
#include "tests/unit/suite.h"

/* The code of the images, at 0x100: no format shows the bytes. */
static const uint8_t code_bytes[0x40];
static const struct profile_code code[] = {{0x100, sizeof code_bytes, code_bytes, 0x80}};

/* The options that limit an export to an event; NULL: all events. `event` is to outlive them. */
static inline struct export_options options_of(const char *const *event)
{
    return (struct export_options){.event = event, .events = *event != NULL ? 1 : 0};
}

/* The profile in the format, of *size_bytes bytes; the caller frees it. `event`: this one alone; NULL: all. */
static inline char *exported(struct profile *p, enum export_form form, const char *event, size_t *size_bytes)
{
    char *text;
    struct errmsg err = {""};
    const struct export_options o = options_of(&event);
    FILE *out = open_memstream(&text, size_bytes);
    ck_assert_msg(export_write(form, p, &o, out, &err) == ST_OK, "%s", err.text);
    fclose(out);
    return text;
}

static inline void expect_text(struct profile *p, enum export_form form, const char *event, const char *want)
{
    size_t size_bytes;
    char *text = exported(p, form, event, &size_bytes);
    ck_assert_str_eq(text, want);
    free(text);
}

/* The message of an export that is refused, of which nothing is written. */
static inline struct errmsg refusal(struct profile *p, enum export_form form, const char *event)
{
    struct errmsg err = {""};
    char *text;
    size_t size_bytes;
    const struct export_options o = options_of(&event);
    FILE *out = open_memstream(&text, &size_bytes);
    ck_assert_int_eq(export_write(form, p, &o, out, &err), ST_INPUT);
    fclose(out);
    ck_assert_uint_eq(size_bytes, 0);
    free(text);
    return err;
}

/* The message in a file of pprof; the caller frees it by pprof__profile__free_unpacked. */
static inline Pprof__Profile *unpacked(const char *text, size_t size_bytes)
{
    static uint8_t plain[1 << 16];
    z_stream z = {.next_in = (uint8_t *)(uintptr_t)text,
                  .avail_in = (uInt)size_bytes,
                  .next_out = plain,
                  .avail_out = sizeof plain};
    ck_assert_int_eq(inflateInit2(&z, 15 + 16), Z_OK);
    ck_assert_int_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
    inflateEnd(&z);
    return pprof__profile__unpack(NULL, z.total_out, plain);
}

#endif

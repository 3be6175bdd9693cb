/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/export/perf_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "host/export/program.h"

enum {
    HEAD_BYTES = 104,
    ATTR_BYTES = PERF_ATTR_SIZE_VER5, /* larger attributes are refused by Debian 12's perf */
    FEATURES = 256,
    BUILD_ID_BYTES = 20
};

/* Features, in the order of their bits. */
enum {
    FEATURE_ARCH = 6,
    FEATURE_NRCPUS = 7,
    FEATURE_CMDLINE = 11,
    FEATURE_EVENT_DESC = 12,
    FEATURE_NUMA_TOPOLOGY = 14,
    MOST_FEATURES = 5
};

void perf_put(struct perf_bytes *b, const void *bytes, size_t count)
{
    if (b->count + count > b->room) {
        b->room = 2 * (b->count + count);
        b->byte = xrealloc(b->byte, b->room);
    }
    if (count > 0)
        memcpy(b->byte + b->count, bytes, count);
    b->count += count;
}

void perf_put64(struct perf_bytes *b, uint64_t value) { perf_put(b, &value, sizeof value); }
void perf_put32(struct perf_bytes *b, uint32_t value) { perf_put(b, &value, sizeof value); }

/* A text, with zeros up to a multiple of 8. */
static void perf_put_text(struct perf_bytes *b, const char *text)
{
    static const uint8_t zeros[8];
    perf_put(b, text, strlen(text) + 1);
    perf_put(b, zeros, (8 - b->count % 8) % 8);
}

void perf_put_record(struct perf_bytes *out, uint32_t type, uint16_t misc, const struct perf_bytes *body)
{
    struct perf_event_header head = {.type = type, .misc = misc, .size = (uint16_t)(sizeof head + body->count)};
    perf_put(out, &head, sizeof head);
    perf_put(out, body->byte, body->count);
}

/* ---- the process ---- */

void perf_put_thread(struct perf_bytes *out, uint32_t thread, const char *name)
{
    enum { NAME_BYTES = 16 };
    struct perf_bytes body = {0};
    char cut[NAME_BYTES] = "";
    strncpy(cut, name, NAME_BYTES - 1);
    perf_put32(&body, PERF_PROCESS);
    perf_put32(&body, thread);
    perf_put_text(&body, cut);
    perf_put_record(out, PERF_RECORD_COMM, PERF_RECORD_MISC_USER, &body);
    free(body.byte);
}

/* Reads hexadecimal digits; returns false if the text is no build ID of an ELF file. */
static bool read_build_id(const char *digits, uint8_t id[BUILD_ID_BYTES], uint8_t *count)
{
    size_t length = strlen(digits);
    if (length == 0 || length % 2 != 0 || length > (size_t)2 * BUILD_ID_BYTES ||
        strspn(digits, "0123456789abcdef") != length)
        return false;
    for (size_t n = 0; n < length / 2; n++) {
        const char pair[] = {digits[2 * n], digits[2 * n + 1], '\0'};
        id[n] = (uint8_t)strtoul(pair, NULL, 16);
    }
    *count = (uint8_t)(length / 2);
    return true;
}

char *perf_absolute_path(const char *path)
{
    enum { PATH_BYTES = 4096 }; /* the size of a record has 16 bits */
    char *found = path[0] == '[' ? NULL : realpath(path, NULL), *absolute = found != NULL ? found : xstrdup(path);
    if (strlen(absolute) < PATH_BYTES)
        return absolute;
    free(absolute);
    return xstrdup("//path");
}

void perf_put_mapping(struct perf_bytes *out, const struct perf_mapping *m)
{
    enum { READ_WRITE = 3, READ_EXECUTE = 5, PRIVATE = 2 };
    struct perf_bytes body = {0};
    uint8_t id[4 + BUILD_ID_BYTES] = {0};
    bool has_id = read_build_id(m->build_id, id + 4, &id[0]);
    perf_put32(&body, PERF_PROCESS);
    perf_put32(&body, PERF_PROCESS);
    perf_put64(&body, m->start);
    perf_put64(&body, m->size_bytes);
    perf_put64(&body, m->offset);
    perf_put(&body, id, sizeof id); /* without one: device and inode, zeros */
    perf_put32(&body, m->is_data ? READ_WRITE : READ_EXECUTE);
    perf_put32(&body, PRIVATE);
    perf_put_text(&body, m->path);
    perf_put_record(out, PERF_RECORD_MMAP2,
                    (uint16_t)(PERF_RECORD_MISC_USER | (has_id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0) |
                               (m->is_data ? PERF_RECORD_MISC_MMAP_DATA : 0)),
                    &body);
    free(body.byte);
}

/* ---- the file ---- */

struct perf_attribute perf_attribute_new(uint64_t members, uint64_t period)
{
    return (struct perf_attribute){.attr = {.type = PERF_TYPE_SOFTWARE,
                                            .size = ATTR_BYTES,
                                            .config = PERF_COUNT_SW_CPU_CLOCK,
                                            .sample_period = period,
                                            .sample_type = members,
                                            .exclude_kernel = 1}};
}

static void perf_put_section(struct perf_bytes *b, uint64_t offset, uint64_t size_bytes)
{
    perf_put64(b, offset);
    perf_put64(b, size_bytes);
}

/* A text as features have it: its length in bytes with padding, and the bytes. */
static void put_feature_text(struct perf_bytes *b, const char *text)
{
    size_t bytes = (strlen(text) + 8) / 8 * 8, at = b->count;
    perf_put32(b, (uint32_t)bytes);
    perf_put(b, text, strlen(text) + 1);
    while (b->count < at + 4 + bytes)
        perf_put(b, "", 1);
}

/* The words of the command line. */
static void put_command(struct perf_bytes *b, const char *command)
{
    struct perf_bytes words = {0};
    uint32_t count = 0;
    char *word;
    for (const char *at = command == NULL ? "" : command; *at != '\0'; count++) {
        at = export_program_word(at, &word);
        put_feature_text(&words, word);
        free(word);
    }
    perf_put32(b, count);
    perf_put(b, words.byte, words.count);
    free(words.byte);
}

static void put_descriptions(struct perf_bytes *b, const struct perf_attribute *attribute, size_t attributes)
{
    perf_put32(b, (uint32_t)attributes);
    perf_put32(b, ATTR_BYTES);
    for (size_t n = 0; n < attributes; n++) {
        perf_put(b, &attribute[n].attr, ATTR_BYTES);
        perf_put32(b, 1); /* number of identifiers */
        put_feature_text(b, attribute[n].name);
        perf_put64(b, n + 1);
    }
}

/* One node with all processors; the size of its memory is unknown. */
static void put_nodes(struct perf_bytes *b, unsigned processors)
{
    char *all = xasprintf("0-%u", processors - 1);
    perf_put32(b, 1);
    perf_put32(b, 0);
    perf_put64(b, 0);
    perf_put64(b, 0);
    put_feature_text(b, processors == 1 ? "0" : all);
    free(all);
}

/* The features of a file, each in a part, and their bits; returns their number. */
static unsigned perf_make_features(struct perf_bytes part[MOST_FEATURES], uint64_t bits[FEATURES / 64],
                                   const struct perf_attribute *attribute, size_t attributes,
                                   const struct perf_features *f)
{
    unsigned parts = 0;
    bits[0] = UINT64_C(1) << FEATURE_ARCH | UINT64_C(1) << FEATURE_CMDLINE | UINT64_C(1) << FEATURE_EVENT_DESC;
    put_feature_text(&part[parts++], "riscv64");
    if (f->processors != 0) {
        bits[0] |= UINT64_C(1) << FEATURE_NRCPUS | UINT64_C(1) << FEATURE_NUMA_TOPOLOGY;
        perf_put32(&part[parts], f->processors);
        perf_put32(&part[parts++], f->processors);
    }
    put_command(&part[parts++], f->command);
    put_descriptions(&part[parts++], attribute, attributes);
    if (f->processors != 0)
        put_nodes(&part[parts++], f->processors);
    return parts;
}

/* Head, identifiers, attributes; the data begins behind them. */
static void put_head(struct perf_bytes *b, const struct perf_attribute *attribute, size_t attributes,
                     uint64_t data_bytes, const uint64_t bits[FEATURES / 64])
{
    size_t ids_at = HEAD_BYTES, attrs_at = ids_at + 8 * attributes;
    size_t attr_bytes = ATTR_BYTES + 16, data_at = attrs_at + attr_bytes * attributes;
    perf_put(b, "PERFILE2", 8);
    perf_put64(b, HEAD_BYTES);
    perf_put64(b, attr_bytes);
    perf_put_section(b, attrs_at, attr_bytes * attributes);
    perf_put_section(b, data_at, data_bytes);
    perf_put_section(b, 0, 0); /* event types, of old files */
    perf_put(b, bits, FEATURES / 8);
    for (size_t n = 0; n < attributes; n++)
        perf_put64(b, n + 1);
    for (size_t n = 0; n < attributes; n++) {
        perf_put(b, &attribute[n].attr, ATTR_BYTES);
        perf_put_section(b, ids_at + 8 * n, 8);
    }
}

void perf_file_write(FILE *out, const struct perf_attribute *attribute, size_t attributes,
                     const struct perf_bytes *records, const struct perf_features *features)
{
    struct perf_bytes head = {0}, part[MOST_FEATURES] = {{0}}, table = {0};
    uint64_t bits[FEATURES / 64] = {0};
    const unsigned parts = perf_make_features(part, bits, attribute, attributes, features);
    put_head(&head, attribute, attributes, records->count, bits);
    uint64_t at = head.count + records->count + (uint64_t)parts * 16;
    for (unsigned n = 0; n < parts; n++) {
        perf_put_section(&table, at, part[n].count);
        at += part[n].count;
    }
    fwrite(head.byte, 1, head.count, out);
    fwrite(records->byte, 1, records->count, out);
    fwrite(table.byte, 1, table.count, out);
    for (unsigned n = 0; n < parts; n++)
        fwrite(part[n].byte, 1, part[n].count, out);
    free(head.byte);
    free(table.byte);
    for (unsigned n = 0; n < parts; n++)
        free(part[n].byte);
}

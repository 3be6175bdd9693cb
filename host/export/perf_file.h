/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perf.data, as perf record writes it: a head, the attributes of the events, records, and features (Linux,
 * tools/perf/Documentation/perf.data-file-format.txt). Numbers are little-endian, as on the machines that perf reads
 * files of other machines on. */
#ifndef HOST_EXPORT_PERF_FILE_H
#define HOST_EXPORT_PERF_FILE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A part of the file, in memory; zeros: empty. The owner frees `byte`. */
struct perf_bytes {
    uint8_t *byte;
    size_t count, room;
};

void perf_put(struct perf_bytes *b, const void *bytes, size_t count);
void perf_put64(struct perf_bytes *b, uint64_t value);
void perf_put32(struct perf_bytes *b, uint32_t value);

/* Appends a record with this body, of a multiple of 8 bytes. */
void perf_put_record(struct perf_bytes *out, uint32_t type, uint16_t misc, const struct perf_bytes *body);

/* The only process; its first thread has the same number. */
enum { PERF_PROCESS = 1 };

/* Appends the name of a thread of the process. */
void perf_put_thread(struct perf_bytes *out, uint32_t thread, const char *name);

/* A file in the memory of the process. */
struct perf_mapping {
    uint64_t start, size_bytes;
    uint64_t offset;      /* in the file */
    const char *build_id; /* as in struct profile_image */
    const char *path;     /* as the kernel has it */
    bool is_data;         /* no code */
};
void perf_put_mapping(struct perf_bytes *out, const struct perf_mapping *m);

/* The path of a file as the kernel has it, which is absolute; of a file that is gone, as it was when it was profiled.
 * The caller frees it. */
char *perf_absolute_path(const char *path);

/* An event. */
struct perf_attribute {
    struct perf_event_attr attr;
    char *name; /* the owner frees it */
};

/* An attribute whose samples have these members; `period`: 1 if each sample has a period of its own. Its identifier in
 * samples is its number among the attributes, plus 1. */
struct perf_attribute perf_attribute_new(uint64_t members, uint64_t period);

struct perf_features {
    const char *command; /* the command line, as for a shell; NULL: unknown */
    unsigned processors; /* all in one node of memory; 0: unknown */
};

void perf_file_write(FILE *out, const struct perf_attribute *attribute, size_t attributes,
                     const struct perf_bytes *records, const struct perf_features *features);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of a job: the folder FOLDER/results/ID with the files of a run, and footer.json, which is written last,
 * names all of them, and has their hashes. docs/formats.md has the members. */
#ifndef HOST_STUDY_RESULT_H
#define HOST_STUDY_RESULT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum { RESULT_VERSION = 1 };

enum result_state {
    RESULT_NONE,    /* no footer */
    RESULT_CORRUPT, /* the footer or a file is not what it was */
    RESULT_FAILED,
    RESULT_DONE
};

/* A footer; texts are borrowed from `json`. */
struct result_footer {
    json_t *json;
    const char *id, *pcemu, *failure; /* failure: why the job failed; NULL: it did not */
    bool knows_expected;
    uint64_t expected, instructions, cycles, status, milliseconds;
};

/* Reads the footer of a text. The caller releases it, also after an error. */
enum status result_parse(const char *place, const char *text, size_t size_bytes, struct result_footer *f,
                         struct errmsg *err) MUST_USE;
void result_release(struct result_footer *f);

/* The state of a job's result by its footer alone. `why` describes a corrupt one. The caller releases the footer. */
enum result_state result_read(const char *folder, const char *id, struct result_footer *f, struct errmsg *why);
/* result_read, which also compares the files with their hashes. */
enum result_state result_verify(const char *folder, const char *id, struct result_footer *f, struct errmsg *why);

/* The size and hash of a file, {"bytes": N, "sha1": HASH}; NULL with an error: it cannot be read. */
json_t *result_describe_file(const char *path, struct errmsg *err);

#endif

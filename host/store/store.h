/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile store: a file of SQLite with the profiles of many runs, by epoch. Its tables and views (schema.def) are
 * documented for users, who query them by any client of SQLite. A run is added in one transaction: after a crash it is
 * there whole or not at all. Several processes can add runs at the same time; each waits for the others.
 *
 * Functions that return a status describe the error in one line: the file, what was found, what to do. */
#ifndef HOST_STORE_STORE_H
#define HOST_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/options.h"
#include "base/status.h"
#include "host/profile/profile.h"
#include "host/store/packed_report.h"

struct profile_store;

enum store_access {
    STORE_READ,  /* the file must exist; all reads are of the moment of the first one */
    STORE_CREATE /* for writing; the file is created if it is missing or empty, and migrated if it is of an older
                    version */
};

/* Time that a writer waits for others. */
enum { STORE_WAIT_MS = 60000 };

/* Opens a store. ST_IO: missing, not readable or not writable, locked for `wait_ms`; ST_FORMAT: no store, or damaged;
 * ST_VERSION: of another version. */
enum status store_open(struct profile_store **s, const char *path, enum store_access access, unsigned wait_ms,
                       struct errmsg *err) MUST_USE;
/* NULL is allowed. */
void store_close(struct profile_store *s);
/* The path that it was opened by. */
const char *store_path(const struct profile_store *s);

/* Returns whether a file is one of SQLite, or a profile store, by its first bytes. */
bool store_is_database(const char *path);
bool store_is_profile_store(const char *path);

/* Returns whether a text can name an epoch: a letter or '_', then also digits, '.' and '-'. */
bool store_is_epoch_name(const char *name);

/* ---- runs ---- */

/* A run; texts are borrowed. */
struct store_run {
    const char *epoch, *command, *guest, *configuration, *configuration_text;
    int64_t time; /* end of the run, in seconds since 1970 */
    uint64_t seed, cycles, instructions;
    const char *program, *program_hash; /* NULL: none */
    bool partial;
    const char *statistics; /* JSON */
    const char *report;     /* JSON; NULL: `packed` has it */
    const struct packed_report *packed;
    const struct profile *profile;
};

/* The present for a run's `time`; with SOURCE_DATE_EPOCH in the environment that, for results that are the same every
 * time. */
int64_t store_now(void);

/* Adds a run in one transaction, with its epoch and images if they are new. Sets its number. On an error nothing is
 * added. */
enum status store_add_run(struct profile_store *s, const struct store_run *run, int64_t *number,
                          struct errmsg *err) MUST_USE;

/* ---- selections ---- */

/* Selection by a user: "STORE", "STORE:EPOCH", or "STORE:RUN[-RUN][,...]". */
struct store_selection {
    char *path;
    char *epoch; /* NULL: none named */
    struct store_range {
        int64_t first, last;
    } * range; /* of runs */
    size_t ranges;
};

/* Splits the text at its last ':', unless a file of this name exists. ST_INPUT: what follows is neither an epoch's name
 * nor numbers of runs. The caller releases the selection, also after an error. */
enum status store_select(struct store_selection *selection, const char *text, struct errmsg *err) MUST_USE;
void store_selection_release(struct store_selection *selection);
/* Adds the part of such a text that follows the ':', "EPOCH" or "RUN[-RUN][,...]", to a selection without one. */
enum status store_select_runs(struct store_selection *selection, const char *text, struct errmsg *err) MUST_USE;

/* Completes a selection: without epoch and runs it becomes the store's only epoch. ST_INPUT: the store has several, or
 * no runs, or lacks what is named; the error lists what there is. */
enum status store_resolve(const struct profile_store *s, struct store_selection *selection,
                          struct errmsg *err) MUST_USE;

/* ---- contents ---- */

struct store_epoch_info {
    int64_t id, runs, partial, first_run, last_run; /* runs 0: the others are 0 */
    char *name;
    uint64_t cycles, instructions; /* sums over the runs */
};
struct store_run_info {
    int64_t id, time;
    char *epoch, *guest, *configuration, *program, *command; /* program: NULL: none */
    uint64_t seed, cycles, instructions;
    uint64_t harts; /* 0: unknown, because the statistics are damaged */
    bool partial;
};
struct store_image_info {
    int64_t id, symbols, lines, code_bytes;
    char *build_id, *name, *path;
};

struct store_event_info {
    int64_t id;
    char *name, *by, *source, *unit;
    int64_t runs; /* of the whole store that have the event */
};

/* The file of an option or argument whose text is a selection (base/options.h, `path`). */
const char *store_option_path(const struct option_row *row, const void *options);

/* Contents of a store, in the order of the numbers. */
struct store_contents {
    struct store_event_info *event;
    struct store_epoch_info *epoch;
    struct store_run_info *run;
    struct store_image_info *image;
    size_t events, epochs, runs, images;
};

/* All epochs, images and events, the exact ones last, and the runs selected: all if no epoch and no runs are named. The
 * caller releases them, also after an error. */
enum status store_list(const struct profile_store *s, const struct store_selection *selection,
                       struct store_contents *contents, struct errmsg *err) MUST_USE;
void store_contents_release(struct store_contents *contents);

/* Parts of a profile. */
enum store_part {
    STORE_SYMBOLS = 1,
    STORE_LINES = 2,
    STORE_CODE = 4,
    STORE_EDGES = 8,
    STORE_STACKS = 16,
    STORE_SCOPES = 32,
    STORE_ALL = 63,
    STORE_PROCEDURES = 64 /* of runs: samples are sums, at the start of the procedure; without one at UINT64_MAX */
};

/* A resolved selection as a profile: the sums over its runs. Where the runs of an event have different scales, a value
 * is the sum of the estimates, divided by the mean scale. `wanted`: the events to load; NULL: all. The caller frees the
 * profile. */
enum status store_load(const struct profile_store *s, const struct store_selection *selection, unsigned parts,
                       bool (*wanted)(const void *ctx, const struct profile_event *e), const void *ctx,
                       struct profile **profile, struct errmsg *err) MUST_USE;

/* Reads runs one after the other, which is faster than store_load of each: their images are read once. `wanted` and its
 * context must live as long as the reader. */
struct store_reader *store_reader_new(const struct profile_store *s, unsigned parts,
                                      bool (*wanted)(const void *ctx, const struct profile_event *e), const void *ctx);
/* NULL is allowed. */
void store_reader_free(struct store_reader *r);
/* Reads a run; its profile is the reader's, and is valid until the next call. */
enum status store_reader_load(struct store_reader *r, int64_t run, struct profile **profile,
                              struct errmsg *err) MUST_USE;

/* The configuration of a resolved selection's runs: its name and the output of pcemu --dump-config. The caller frees
 * both texts. ST_INPUT: the runs have several configurations; the error names them. */
enum status store_configuration(const struct profile_store *s, const struct store_selection *selection, char **name,
                                char **text, struct errmsg *err) MUST_USE;

/* The report of a run as JSON, of at most STORE_REPORT_MOST bytes, because what reads it takes several times its size;
 * the caller frees it. ST_INPUT: the store has no such run. */
enum { STORE_REPORT_MOST = 256 << 20 };
enum status store_report(const struct profile_store *s, int64_t run, char **json, size_t *size_bytes,
                         struct errmsg *err) MUST_USE;
/* The same, of any size, as it is stored; the caller frees its bytes. */
enum status store_packed_report(const struct profile_store *s, int64_t run, struct packed_report *packed,
                                struct errmsg *err) MUST_USE;

/* The statistics of a run as JSON: those of core and co-processor; likewise. */
enum status store_statistics(const struct profile_store *s, int64_t run, char **json, size_t *size_bytes,
                             struct errmsg *err) MUST_USE;

/* Adds the runs of another store, which must be without damage, with their numbers changed, in one transaction: to an
 * epoch, or, if it is NULL, each to that of its own name. Sets the number of runs added. */
enum status store_merge(struct profile_store *into, const char *from, const char *epoch, size_t *runs,
                        struct errmsg *err) MUST_USE;

#endif

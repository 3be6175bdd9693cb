/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the files that add a run. */
#ifndef HOST_STORE_WRITE_H
#define HOST_STORE_WRITE_H

#include "host/store/parts.h"

/* The addition of a run. After an error all functions do nothing. */
struct writer {
    struct profile_store *store;
    int code; /* of SQLite: the first error */
    int64_t epoch;
    /* Numbers in the store of the profile's images, files and frames; of a file and a frame 0: not looked up yet. */
    int64_t *image, *file, *frame;
};

/* An event of the run, and its sum over the runs of the epoch. */
struct writer_series {
    int64_t series, epoch_event;
    double scale;
};

/* A statement that does nothing after an error. */
struct statement writer_statement(const struct writer *w, const char *sql);
/* Frees a statement; its error becomes the writer's. */
void writer_end(struct writer *w, struct statement *q);

/* Adds a run in the transaction that the caller has begun; returns its number. */
int64_t writer_add_run(struct writer *w, const struct store_run *r);

/* Number in the store of a file of the profile; 0 for PROFILE_NO_FILE. */
int64_t writer_file(struct writer *w, const struct profile *p, uint32_t file);

/* write_scopes.c: adds the scopes of an image, and returns the number of files that they and its lines name at most. */
void writer_add_scopes(struct writer *w, int64_t image, const struct profile_image *i, const struct profile *p);
size_t writer_files(const struct profile_image *i);

/* write_values.c: adds the samples, edges and stacks of an event to the run and to the sums of the epoch. */
void writer_add_values(struct writer *w, const struct profile *p, uint32_t event, const struct writer_series *s);

#endif

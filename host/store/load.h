/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the files that load a profile. */
#ifndef HOST_STORE_LOAD_H
#define HOST_STORE_LOAD_H

#include "base/hash.h"
#include "host/store/parts.h"

/* An event to load. */
struct store_loader_event {
    int64_t event, epoch_event;
    uint32_t number; /* in the profile */
    bool mixed;      /* its runs have different scales: values are estimates, divided by `scale`, their mean */
    double scale;
};

/* The number in the profile of a row of the store. */
struct store_loader_number {
    int64_t row;
    uint32_t number;
    UT_hash_handle hh;
};

/* After an error all functions do nothing. */
struct store_loader {
    const struct profile_store *store;
    const struct store_selection *selection;
    unsigned parts;
    bool (*wanted)(const void *ctx, const struct profile_event *e);
    const void *ctx;
    struct profile *profile;
    int code; /* of SQLite: the first error; SQLITE_ABORT: of loader_refuse */
    struct errmsg *err;
    struct store_loader_event *event;
    size_t events;
    /* The numbers in the profile of the store's images, files and frames that have been added; uthash tables. */
    struct store_loader_number *image, *file, *frame;
    const struct store_loader_number *last_image; /* the one looked up last; NULL: none */
};

struct statement loader_statement(struct store_loader *l, const char *sql);
/* statement_row, but false also after an error of another statement. */
bool loader_row(const struct store_loader *l, struct statement *q);

/* Ends a statement; its error becomes the loader's. */
void loader_end(struct store_loader *l, struct statement *q);

/* Ends the loading with a message: the file contains what the tools do not write. */
void loader_refuse(struct store_loader *l, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Values and scales are below this, so that their products and sums are numbers. */
#define LOADER_LIMIT 1e100

/* load_values.c: sets the mean scale of an event: the sum of its estimates by that of its values. */
void loader_mean_scale(struct store_loader *l, struct store_loader_event *e);
/* Adds the values of all events. */
void loader_load_values(struct store_loader *l);

/* load_images.c: the number in the profile of an image of the store, which is added at its first use; after an error
 * any. */
uint32_t loader_image(struct store_loader *l, int64_t image);
void loader_free_numbers(struct store_loader *l);
/* Tables of such numbers: the entry of a row, or NULL; adds one, and returns the number. */
const struct store_loader_number *loader_find_number(struct store_loader_number *table, int64_t row);
uint32_t loader_add_number(struct store_loader_number **table, int64_t row, uint32_t number);

#endif

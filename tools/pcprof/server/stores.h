/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stores that pcprof serve shows: those that were named, and those in the folders that were named, with what
 * `pcprof list` says of each. They are read anew when their files have changed, by a process of its own. */
#ifndef TOOLS_PCPROF_SERVER_STORES_H
#define TOOLS_PCPROF_SERVER_STORES_H

#include <jansson.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/options.h"
#include "base/sha1.h"
#include "tools/pcprof/server/work.h"

/* Limits: stores; files and folders that are looked at in the folders; runs of a store. */
enum { SERVE_STORES_MOST = 4096, SERVE_FILES_MOST = 200000, SERVE_RUNS_MOST = 50000 };

/* State of the files of a store, as a text. */
enum { SERVE_STATE = 160 };

/* A run, and the hash of all that pcprof list says of it. */
struct served_run {
    int64_t id;
    const char *epoch; /* of the list */
    uint8_t digest[SHA1_BYTES];
};

struct served_store {
    char *name;        /* its path; requests name it by this */
    json_t *list;      /* the report of pcprof list; NULL: there is an error, or nothing has been read yet */
    struct errmsg why; /* the error */
    struct served_run *run;
    size_t runs;
    /* Of stores.c alone. */
    char state[SERVE_STATE], listed_state[SERVE_STATE]; /* now, and of `list`; empty: not known */
    char reading_state[SERVE_STATE];                    /* what is being read; empty: nothing */
    uint64_t checked;                                   /* moment of `state` */
    int64_t retry;                                      /* seconds of the monotonic clock when it is read again */
    bool is_named, exists;                              /* is_named: by the user, not found in a folder */
    UT_hash_handle hh;
};

struct serve_stores {
    const struct option_list *source; /* files and folders; borrowed */
    struct served_store *by_name;     /* in the order of the names */
    bool is_cut;                      /* there are more than the limits allow */
    struct serve_work work;           /* reads the lists */
    uint64_t now, scanned;            /* moments: the last one; of the last look at the folders */
};

/* ST_INPUT, ST_IO, ST_FORMAT: one of the sources, which are borrowed, is neither a store nor a folder. The caller
 * releases. */
enum status serve_stores_init(struct serve_stores *s, const struct option_list *source, struct errmsg *err) MUST_USE;
void serve_stores_release(struct serve_stores *s);

/* A new moment. The server counts moments: what was found at that of a request, or later, answers it. */
uint64_t serve_stores_moment(struct serve_stores *s);
/* Whether a store (NULL: all) is known as it was at a moment, or later. False: it is being read; ask again when
 * serve_stores_advance has returned true. */
bool serve_stores_are_known(struct serve_stores *s, const char *name, uint64_t since);
/* Takes what the process has written that reads stores; true: it has ended. */
bool serve_stores_advance(struct serve_stores *s);

/* The store of a name; NULL: there is none. */
struct served_store *serve_stores_find(const struct serve_stores *s, const char *name);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profiles of an estimate's units, as shares of the whole run: by instruction and function for each event, the
 * cycles by cause, and the gains of questions. */
#ifndef TOOLS_PCSWEEP_UNIT_PROFILE_H
#define TOOLS_PCSWEEP_UNIT_PROFILE_H

#include <jansson.h>

#include "base/hash.h"
#include "contract/report.h"
#include "host/region/shares.h"
#include "tools/pcsweep/unit_store.h"

/* A row of an event. */
struct unit_place {
    uint32_t event, image;
    uint64_t address; /* link-time address in the image */
    size_t row;
    UT_hash_handle hh;
};

struct unit_event {
    struct profile_event event; /* the scale and period of the last unit; texts are owned */
    struct region_shares shares;
    struct unit_place **place; /* of each row */
};

/* Shares of the cycles by a name. */
struct unit_named {
    struct region_shares shares;
    char **name; /* of each row */
};

/* The cycles that a row has in a unit. */
double unit_named_value(const struct unit_named *n, size_t row, uint32_t unit);

struct unit_profile {
    const struct region_plan *plan; /* borrowed */
    struct profile_store *store;
    struct store_reader *reader;
    struct profile *profile; /* the reader's: the images */
    struct unit_event *event;
    size_t events;
    struct unit_place *places; /* of all rows, by event, image and address */
    struct unit_named stack;   /* the cycles by cause, as statistics have them: "load_l2" */
    struct unit_named gains;   /* a gain is the share of the cycles that the run takes less; below 0: more */
};

/* Reads the runs of the chosen units, all of which the store has. The plan is borrowed. The caller releases the
 * profile, also after an error. */
enum status unit_profile_load(struct unit_profile *u, const char *path, const struct region_plan *p,
                              struct errmsg *err) MUST_USE;
void unit_profile_release(struct unit_profile *u);

/* unit_collect.c: what a profile store keeps of the estimated run. Borrowed. */
struct unit_collect {
    const char *to;      /* STORE or STORE:EPOCH; no runs are named */
    const char *command; /* the command line */
    const char *guest;
    uint64_t seed, instructions;
    double cycles;
    const struct report *report;
};
/* Adds the estimates as a run to a store. Exact counts of units become estimates of the run. The profile has no events
 * afterwards. */
enum status unit_profile_collect(struct unit_profile *u, const struct unit_collect *c, struct errmsg *err) MUST_USE;

/* unit_numbers.c: adds what the statistics and the report of a unit's run have. `at` is for messages. */
enum status unit_profile_add_statistics(struct unit_profile *u, uint32_t unit, const char *at, const json_t *statistics,
                                        struct errmsg *err) MUST_USE;
enum status unit_profile_add_report(struct unit_profile *u, uint32_t unit, const char *at, const json_t *report,
                                    struct errmsg *err) MUST_USE;

#endif

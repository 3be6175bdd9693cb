/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of simulated units: a line for each, with the number of its first instruction and a value, which is a mean as
 * of cycles per instruction, or a count and the instructions that it is of. Lines that begin with # are comments. */
#ifndef HOST_REGION_RESULTS_H
#define HOST_REGION_RESULTS_H

#include <stdbool.h>

#include "host/region/plan.h"
#include "host/region/stratified.h"

struct region_result {
    uint64_t first;
    double value, insns; /* insns: 0, if the value is a mean */
};

struct region_results {
    size_t count;
    struct region_result *result; /* ordered by `first`, each of which is there once */
    bool has_counts;              /* all of them, or none */
};

/* Reads a text, which is NUL-terminated; `name` is for messages. */
enum status region_results_read(struct region_results *r, const char *name, const char *text,
                                struct errmsg *err) MUST_USE;
void region_results_release(struct region_results *r);
/* The result of the unit that begins there; NULL: there is none. */
const struct region_result *region_results_find(const struct region_results *r, uint64_t first);

/* Results by stratum, for region_estimate. */
struct region_samples {
    size_t strata;
    struct region_sample *sample;
    double *values; /* owned: of all samples */
};

/* The results of the chosen units. A chosen unit without a result is an error; other results are not read. */
enum status region_samples_of(struct region_samples *s, const struct region_plan *p, const struct region_results *r,
                              const char *name, struct errmsg *err) MUST_USE;
void region_samples_release(struct region_samples *s);

#endif

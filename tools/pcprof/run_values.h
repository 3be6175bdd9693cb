/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates of an event, by run and place, for comparisons of runs. Places are matched by names, so runs of two
 * versions of a program are compared procedure by procedure. */
#ifndef TOOLS_PCPROF_RUN_VALUES_H
#define TOOLS_PCPROF_RUN_VALUES_H

#include "base/spread.h"
#include "tools/pcprof/input.h"
#include "tools/pcprof/line_pairs.h"
#include "tools/pcprof/prof.h"

/* A run; NAN: unknown. */
struct run_total {
    int64_t run;
    char *epoch, *by; /* by: the profiler of the event */
    enum profile_source source;
    uint64_t seed;
    uint64_t cycles, harts; /* as in struct store_run_info */
    double estimate, exact;
    bool has_exact;    /* the places have exact values too */
    double per_sample; /* counting error: the variance of an estimate is the estimate times this (Poisson); exact: 0 */
};

/* Where a procedure is in its image. */
struct run_code {
    uint64_t start, size_bytes; /* 0: unknown */
    bool several;               /* images of one name have it at different places */
};

/* A place with its values, indexed by run. Runs without the place have the value 0. */
struct run_place {
    char *procedure, *line, *image; /* procedure and line: NULL: unknown, or not what rows are by */
    double *estimate, *exact;
    struct run_code code[2]; /* by `side`, if rows are by procedure */
};

struct run_values {
    enum prof_by by;
    bool several_harts;             /* a run has several harts */
    bool with_exact;                /* with the exact values of places */
    unsigned side;                  /* of the runs that are added: 0 or 1 */
    const struct line_pairs *pairs; /* the lines of runs that are added have the names of another version; NULL: own */
    char *name, *unit;              /* of the event */
    struct run_total *run;
    struct run_place **place;
    size_t runs, places;
    void *tree; /* of tsearch: places by their names */
};

/* Adds the runs of an input that have the event asked for, NAME[@PROFILER]; NULL: cycles. ST_INPUT: none has it, or the
 * event is of gains, which do not add up. The caller releases the values, also after an error. */
enum status run_values_add(struct run_values *v, const struct pcprof_input *in, const char *event,
                           struct errmsg *err) MUST_USE;
void run_values_release(struct run_values *v);

/* Orders places by their names. */
int run_values_compare_places(const struct run_place *x, const struct run_place *y);

/* Returns whether the runs from `first` up to `end` have the exact answer to each estimate. */
bool run_values_are_exact(const struct run_values *v, size_t first, size_t end);

/* Returns whether any estimate of the runs from `first` up to `end` differs. If none does, they are copies of one
 * measurement rather than repetitions. */
bool run_values_vary(const struct run_values *v, size_t first, size_t end);

/* The profilers of the runs from `first` up to `end`, "a, b". The caller frees it. */
char *run_values_name_profilers(const struct run_values *v, size_t first, size_t end);

/* The columns of a place. */
void run_values_place_columns(const struct run_values *v, struct report_table *t, const struct run_place *place);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gains that are estimated from the graph of dependences of the run: for each instruction and cause of delay, the
 * cycles that the run would take less without it. The core model fills them from the probe port; the host side reports
 * and stores them. */
#ifndef CONTRACT_GRAPHPROF_H
#define CONTRACT_GRAPHPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/code.h"

struct graph_row {
    uint64_t pc;
    uint32_t causes;     /* enum ideal_cause */
    const char *removed; /* their names, as in struct gain_row */
    uint64_t events;     /* retired executions with the cause, in windows */
    uint64_t gaining;    /* windows with a gain or loss */
    uint64_t critical;   /* events whose execution cannot be later without a later end of the window: no slack */
    uint64_t slack;      /* cycles by which the events could be later, each alone: their sum */
    double delay;        /* cycles of the run by which the cause delays the critical events */
    double gain;         /* cycles of the run */
    double variance;     /* of `gain`, by the choice of windows; exact windows: 0 */
};

struct graph_profile {
    const char *label;           /* the observer with its options */
    bool is_whole;               /* windows have all instructions of the run */
    uint64_t windows, covered;   /* windows, instructions in them */
    uint64_t retired;            /* instructions of the run */
    const struct graph_row *row; /* in ascending order of pc, then of `removed` */
    size_t rows;
    double together; /* cycles: gain without any of these causes */
    /* Cycles: gain without the causes of each set of instructions that was asked about; NaN: the graph does not have
     * all of them, or only together with others. NULL: none was. */
    const double *asked;
    size_t questions;
};

struct graph_result {
    const struct graph_profile *profile;
    unsigned profiles;
    uint64_t cycles; /* of the run */
    struct code code;
};

/* The estimates to go by: those of all instructions if there are such, otherwise the first. NULL: none. */
const struct graph_profile *graph_profile_main(const struct graph_result *g);
/* Compares two rows, for qsort. */
int graph_row_compare(const void *a, const void *b);

#endif

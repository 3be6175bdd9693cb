/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a hart does over time, for viewers of time lines: steps of some cycles, each with what has retired and where,
 * and when handlers and threads ran. */
#ifndef CORE_MODEL_PROF_TIMELINE_H
#define CORE_MODEL_PROF_TIMELINE_H

#include "core-model/prof/observer.h"

struct timeline_step {
    uint64_t pc; /* of the youngest instruction that retired in it; 0: none did */
    uint64_t retired;
};

/* From a cycle up to another, which is not included. */
struct timeline_slice {
    uint64_t from, to;
    uint64_t number; /* of the thread */
};

struct timeline {
    struct observer base;
    uint64_t step;  /* cycles of a step; the last one can be shorter */
    uint64_t start; /* cycle in which the first step begins */
    uint64_t end;   /* cycle behind the last one */
    struct timeline_step *at;
    struct timeline_slice *handler, *thread; /* in the order of time; handlers also of time without a thread */
    size_t steps, handlers, threads;
    bool in_handler;
};

/* Makes the observer of a hart, whose results are complete after `finish`. */
struct timeline *timeline_new(uint64_t step);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of a profile's call stacks, with what they cost, callees included, and how often they were executed. */
#ifndef HOST_EXPORT_CALLS_H
#define HOST_EXPORT_CALLS_H

#include "host/export/select.h"

/* A call of a function from an instruction, or from a function (host/export/frame.h). Its cost is that of the stacks
 * that pass through it in which the function called is not active further out. */
struct export_call {
    uint32_t image, to_image;
    uint64_t address, to;
    bool is_function;    /* `address` is that of the caller, not of the call */
    uint64_t executions; /* by the control transfers of the profile; 0: unknown */
    size_t event;        /* of the selection */
    double value;
};

struct export_calls {
    struct export_call *call; /* in ascending order of image, address, to_image, to and event */
    size_t count;
};

/* The caller calls export_calls_free. */
void export_calls_make(struct export_calls *calls, const struct profile *p, const struct export_events *events);
void export_calls_free(struct export_calls *calls);

/* Returns whether a control transfer calls a function. A branch within a function to its start is a loop. */
bool export_calls_is_call(const struct profile *p, const struct profile_edge *e);

/* Returns whether two entries are of one call. */
bool export_calls_same(const struct export_call *x, const struct export_call *y);

#endif

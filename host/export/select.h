/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events that an export contains, and the messages of what is missing. */
#ifndef HOST_EXPORT_SELECT_H
#define HOST_EXPORT_SELECT_H

#include "host/export/export.h"

/* The name that stands for all events. */
#define EXPORT_ALL_EVENTS "all"

/* Kinds of values of an event, bits. */
enum export_values { EXPORT_SAMPLES = 1, EXPORT_EDGES = 2, EXPORT_STACKS = 4 };

/* Events of an export: time first, the exact one before estimates, then in the profile's order. Of events that are
 * named, those of the first name are first. */
struct export_events {
    uint32_t *event;
    size_t count;
};

/* Selects the events of the options that have values of one of the kinds. ST_INPUT if there are none. The caller
 * frees events->event, also on error. */
enum status export_select(const struct profile *p, const struct export_options *o, unsigned kinds,
                          struct export_events *events, struct errmsg *err) MUST_USE;

/* The same; if no event is named, the first one alone. */
enum status export_select_one(const struct profile *p, const struct export_options *o, unsigned kinds,
                              struct export_events *events, struct errmsg *err) MUST_USE;

/* Returns whether an event is time: cycles. */
bool export_is_time(const struct profile_event *e);

/* The kinds of values that an event has. */
unsigned export_kinds(const struct profile *p, uint32_t event);

/* Label of an event: "cycles (tip)"; the name alone if no other event has it. The caller frees it. */
char *export_label(const struct profile *p, uint32_t event);

/* A value as a whole number of events. */
uint64_t export_number(const struct profile *p, uint32_t event, double value);

/* Values of an event that are rounded one after the other: what is lost by rounding one is added to the next, so that
 * the sum of any that follow each other is right, but for less than 1. Begins as zeros. */
struct export_rounding {
    double sum;
    uint64_t given;
};
uint64_t export_round(struct export_rounding *r, const struct profile *p, uint32_t event, double value);

/* ST_IO if writing failed. */
enum status export_finish(FILE *out, struct errmsg *err) MUST_USE;

#endif

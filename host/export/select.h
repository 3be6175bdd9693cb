/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events that an export contains, and the messages of what is missing. */
#ifndef HOST_EXPORT_SELECT_H
#define HOST_EXPORT_SELECT_H

#include "host/export/export.h"

/* Kinds of values of an event, bits. */
enum export_values { EXPORT_SAMPLES = 1, EXPORT_EDGES = 2, EXPORT_STACKS = 4 };

/* Events of an export, in the profile's order. */
struct export_events {
    uint32_t *event;
    size_t count;
};

/* Selects the events of the options that have values of one of the kinds. ST_INPUT if there are none. The caller
 * frees events->event, also on error. */
enum status export_select(const struct profile *p, const struct export_options *o, unsigned kinds,
                          struct export_events *events, struct errmsg *err) MUST_USE;

/* The kinds of values that an event has. */
unsigned export_kinds(const struct profile *p, uint32_t event);

/* Label of an event: "cycles (tip)"; the name alone if no other event has it. The caller frees it. */
char *export_label(const struct profile *p, uint32_t event);

/* A value as a whole number of events. */
uint64_t export_number(const struct profile *p, uint32_t event, double value);

/* ST_IO if writing failed. */
enum status export_finish(FILE *out, struct errmsg *err) MUST_USE;

#endif

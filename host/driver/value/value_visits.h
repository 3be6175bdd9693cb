/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The visits of a load, from which the errors of its estimates follow.
 *
 * Successive samples of a load depend on each other, and a slot takes its samples from one short time, so a visit is
 * one observation of the shares of the load's values, whatever its number of samples: in the words of sampling theory
 * the visits are clusters. Of a long run a load has many visits; successive ones are then combined, equally many in
 * each entry (batch means), so the memory of a load is bounded. */
#ifndef HOST_DRIVER_VALUE_VALUE_VISITS_H
#define HOST_DRIVER_VALUE_VALUE_VISITS_H

#include <stdint.h>

enum { VALUE_VISITS_MAX = 32 };

/* The slots of a visit that had this value last, in the weights of the profile: samples with it while it was active,
 * with others, and those before it became active. */
struct value_part {
    uint32_t value;
    double hits, misses, rest;
};

struct value_visit {
    double weight;
    struct value_part *part;
    unsigned parts, room;
};

struct value_visits {
    struct value_visit *list; /* room for VALUE_VISITS_MAX, NULL without visits */
    unsigned count;
    unsigned batch; /* visits in each entry but the last */
    unsigned last;  /* visits in the last entry */
    uint64_t total; /* number of visits */
};

void value_visits_fini(struct value_visits *v);
/* Begins a visit; the slots added next belong to it. */
void value_visits_begin(struct value_visits *v);
void value_visits_add(struct value_visits *v, uint32_t value, double hits, double misses, double rest);
/* The slots of a visit with that value; zeros without any. */
struct value_part value_visit_part(const struct value_visit *v, uint32_t value);

#endif

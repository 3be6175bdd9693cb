/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a value profile came about: what it said at moments of the run, and what it had cost by then. The exact profile
 * of the whole run is known at its end alone, so the moments are kept and scored then (co-processor paper, section 5.3,
 * Figures 7 and 8). */
#ifndef HOST_VALUE_TIMELINE_H
#define HOST_VALUE_TIMELINE_H

#include "host/cost.h"
#include "host/value_profile.h"
#include "isa/contract/report.h"
#include "isa/contract/truth.h"

/* When there are as many moments as that, every second one is dropped, and from then on they are twice as far apart. */
enum { TIMELINE_MOMENTS = 64 };

struct value_claim;

struct value_moment {
    uint64_t cycle, services, handler_cycles;
    unsigned masked;
    struct value_claim *claims; /* by load and value */
    unsigned claim_count;
};

struct value_timeline {
    struct value_moment moment[TIMELINE_MOMENTS];
    unsigned count;
    uint64_t spacing; /* cycles */
};

void value_timeline_fini(struct value_timeline *t);
/* Keeps what the profile says now, at `cycle`, after what the account says was done; nothing if the last moment is too
 * near, unless it is the `end`. */
void value_timeline_add(struct value_timeline *t, const struct value_profile *p, const struct host_account *account,
                        uint64_t cycle, bool end);
/* Adds the table `timeline` of the moments, with the error of each against the truth, as in value_score.h. */
void value_timeline_report(const struct value_timeline *t, const struct truth *truth, struct report *r);

#endif

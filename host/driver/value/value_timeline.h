/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Convergence of a value profile: its estimates and cost at points of the run. The exact profile of the whole run is
 * known only at its end, so the points are stored and scored then (co-processor paper, section 5.3, Figures 7 and 8).
 */
#ifndef HOST_DRIVER_VALUE_VALUE_TIMELINE_H
#define HOST_DRIVER_VALUE_VALUE_TIMELINE_H

#include "contract/report.h"
#include "contract/truth.h"
#include "host/driver/cost.h"
#include "host/driver/value/value_profile.h"

/* Maximum number of points. When it is reached, every second point is removed and the spacing is doubled. */
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
/* Stores the profile's estimates in cycle `cycle` and the costs of the account, unless the previous point is too
 * close and this is not the `end`. */
void value_timeline_add(struct value_timeline *t, const struct value_profile *p, const struct host_account *account,
                        uint64_t cycle, bool end);
/* Adds the table `timeline` of the points, with the error of each as in value_score.h. */
void value_timeline_report(const struct value_timeline *t, const struct truth *truth, struct report *r);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of event counters: counts and samples. The core model fills them from the probe port; the host side reports
 * them and compares them with the exact counts by instruction (countprof.h), if the run has them. */
#ifndef CONTRACT_COUNTERPROF_H
#define CONTRACT_COUNTERPROF_H

#include "contract/countprof.h"

/* One event of a time-multiplexed counter. */
struct counter_event {
    enum count_kind kind;
    uint64_t total;   /* exact: all events of the run */
    uint64_t cycles;  /* cycles in which the counter was assigned to this event */
    uint64_t counted; /* events in these cycles */
    uint64_t overflows;
    uint64_t samples; /* overflows whose interrupt was taken */
    uint64_t lost;    /* overflows while an interrupt was pending, or before the first retirement after a handler */
    double estimate;  /* of `total`: events represented by the overflows, scaled by the share of cycles counted */
};

/* Skid histogram: number of samples of an event whose instruction retired `distance` instructions after the nearest one
 * with the event; negative: before it. */
struct counter_skid {
    unsigned event; /* index among the counter's events */
    int64_t distance;
    uint64_t samples;
};

struct counter_profile {
    const char *label;
    uint64_t cycles; /* of the run */
    uint64_t period; /* events between overflows; if random, the maximum */
    uint64_t delay;  /* cycles from an overflow to its interrupt */
    uint64_t cost;   /* cycles of the interrupt's handler; 0: the run is not disturbed, or the driver says */
    bool
        collected; /* the samples also went to a driver (counter_handler.h), as those of the counter with this number */
    unsigned number;
    const struct counter_event *event;
    unsigned events;
    const struct count_row *row; /* in ascending order of pc: samples of each event, in count[kind] */
    size_t rows;
    const struct count_row *place; /* by place (call_tree.h), in ascending order; places 0: none are known */
    size_t places;
    bool has_skid; /* the next members are valid: the simulator knows which instruction had the event */
    const struct counter_skid *skid; /* by event, then distance; +-COUNTER_SKID_MOST include larger ones */
    size_t skids;
    uint64_t unplaced; /* samples without an instruction with the event nearby */
};
enum { COUNTER_SKID_MOST = 1023 };

/* The counters of a run. */
struct counter_result {
    const struct counter_profile *profile;
    unsigned profiles;
    uint64_t cycles; /* of the run */
    struct code code;
    const struct count_profile *exact; /* exact counts of the same run by instruction; NULL: none */
};

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What event counters have counted and sampled. The core side fills it from the probe port; the host side reports it,
 * and compares it with the exact counts by instruction where the run has them (countprof.h). */
#ifndef ISA_CONTRACT_COUNTERPROF_H
#define ISA_CONTRACT_COUNTERPROF_H

#include "isa/contract/countprof.h"

/* One event of a counter, which counts several in turns. */
struct counter_event {
    enum count_kind kind;
    uint64_t total;   /* exact: all events of the run */
    uint64_t cycles;  /* in which the counter counted this one */
    uint64_t counted; /* events in these cycles */
    uint64_t overflows;
    uint64_t samples; /* overflows whose interrupt was taken */
    uint64_t lost;    /* overflows while an interrupt was pending, or before one retired behind a handler */
    double estimate;  /* of the total: events that the overflows stand for, by the share of the cycles counted in */
};

/* Samples of an event, of instructions that retired that many instructions behind the nearest one that had the event;
 * negative: before it. */
struct counter_skid {
    unsigned event; /* its number among the counter's */
    int64_t distance;
    uint64_t samples;
};

struct counter_profile {
    const char *label;
    uint64_t cycles; /* of the run */
    uint64_t period; /* events between overflows; the largest where it is random */
    uint64_t delay;  /* cycles from an overflow to its interrupt */
    uint64_t cost;   /* cycles of the interrupt's handler; 0: the run is not disturbed */
    const struct counter_event *event;
    unsigned events;
    const struct count_row *row; /* by rising pc: the samples of each event, in count[kind] */
    size_t rows;
    bool has_skid; /* the next two are known, from the model's knowledge of which instruction had the event */
    const struct counter_skid *skid; /* by event and rising distance; +-COUNTER_SKID_MOST stand for
                                      * larger ones too */
    size_t skids;
    uint64_t unplaced; /* samples near no instruction with the event */
};
enum { COUNTER_SKID_MOST = 1023 };

/* The counters of a run. */
struct counter_result {
    const struct counter_profile *profile;
    unsigned profiles;
    uint64_t cycles; /* of the run */
    struct code code;
    const struct count_profile *exact; /* counts of the same run by instruction; NULL: there are none */
};

#endif

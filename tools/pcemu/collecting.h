/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The collection of event counters' samples by a driver and a daemon, as in DCPI. */
#ifndef TOOLS_PCEMU_COLLECTING_H
#define TOOLS_PCEMU_COLLECTING_H

#include "contract/report.h"
#include "core-model/prof/observers.h"
#include "host/collect/collector.h"
#include "host/collect/daemon.h"
#include "tools/pcemu/target.h"

struct collecting {
    struct collector *collector; /* NULL: no samples are collected */
    struct daemon *daemon;
    unsigned harts;
    struct collecting_hart {
        struct collecting *of;
        unsigned number;
        struct counter_handler handler;
    } hart[GUEST_HARTS_MAX];
    const struct target *target; /* borrowed */
};

/* Creates driver and daemon if an observer collects its samples. The target's guest must have been loaded. */
void collecting_start(struct collecting *c, const struct machine_config *m, const struct target *t,
                      struct observers *observers);
/* Sends the samples of hart `hart`, which is not the first, to the same driver. */
void collecting_add_hart(struct collecting *c, unsigned hart, struct observers *observers);
/* The daemon reads what the driver has left. */
void collecting_end(struct collecting *c);
/* Adds the section of the collection to the report of a run of `cycles` cycles; nothing if there is none. */
void collecting_report(const struct collecting *c, uint64_t cycles, struct report *r);
/* The samples that the daemon has, after collecting_end, by event (counter_handler.h); NULL: nothing was collected. */
const struct sample_entry *collecting_samples(const struct collecting *c, size_t *count);
void collecting_release(struct collecting *c);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact references over instructions written by hand. */
#ifndef TESTS_UNIT_EXACT_STEPS_H
#define TESTS_UNIT_EXACT_STEPS_H

#include "core-model/prof/exact/exact.h"

#include <stdlib.h>

/* Fields of an instruction; those left out are 0. */
struct step {
    enum opclass opclass;
    uint64_t pc, next, sp, history, delay; /* delay: from the retirement before to its own, in cycles */
    uint32_t events;
};

static inline void retire(struct observer *o, const struct step *steps, size_t count)
{
    uint64_t cycle = 1000;
    for (size_t i = 0; i < count; i++) {
        const struct step *s = &steps[i];
        const struct rv_insn insn = {.opclass = (uint8_t)s->opclass, .length_bytes = 4};
        const struct rv_outcome outcome = {.next_pc = s->next};
        struct probe_insn in = {
            .pc = s->pc,
            .insn = &insn,
            .outcome = &outcome,
            .history = s->history,
            .events = s->events,
            .sp = s->sp,
            .retired_before = cycle,
        };
        cycle += s->delay;
        in.stage_cycle[PROBE_RETIRED] = cycle;
        if (event_filter_passes(o->probe.filter[PROBE_RETIRED], s->opclass, cycle))
            o->probe.stage[PROBE_RETIRED](o->probe.ctx, &in, cycle);
    }
}

/* The rows of the reference behind the steps; the caller's to free. */
static inline size_t rows_behind(enum exact_reference e, uint32_t classes, const struct step *steps, size_t count,
                                 struct exact_row **rows)
{
    const struct exact_setup setup = {.classes = classes};
    struct observer *o = exact_new(e, &setup);
    retire(o, steps, count);
    struct exact_source source = exact_source(e, o);
    size_t n = source.rows(source.ctx, rows);
    observer_release(o);
    return n;
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
enum { EVERY_CLASS = (1 << OPCLASS_COUNT) - 1 };

#endif

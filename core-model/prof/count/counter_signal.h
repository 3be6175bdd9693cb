/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events for event counters: the rows of contract/countprof.def that have a signal. */
#ifndef CORE_MODEL_PROF_COUNT_COUNTER_SIGNAL_H
#define CORE_MODEL_PROF_COUNT_COUNTER_SIGNAL_H

#include "core-model/prof/observer.h"

enum counter_source {
    SOURCE_NEVER,
    SOURCE_CYCLES, /* each cycle */
    SOURCE_STAGE,  /* instructions that pass a stage */
    SOURCE_EVENT,  /* events, in their cycle */
};

struct counter_signal {
    uint8_t source;   /* enum counter_source */
    uint8_t of;       /* enum probe_stage or enum probe_event_bit */
    bool all;         /* stage: counts each instruction that passes it; otherwise those for which count_adds is true */
    uint32_t classes; /* stage: bit mask of enum opclass that can be counted; 0: all */
};

extern const struct counter_signal counter_signals[COUNT_KINDS];

/* A row's name, and its name in the RISC-V performance events draft; the bits are 1 << enum count_kind. */
extern const struct text_choice counter_choices[];

/* Returns whether the event belongs to instructions that can retire, so that samples have a skid. */
bool counter_has_instruction(enum count_kind kind);

#endif

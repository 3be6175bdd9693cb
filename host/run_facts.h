/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The head of every report: what was run, on what, for how long, and how it ended. */
#ifndef HOST_RUN_FACTS_H
#define HOST_RUN_FACTS_H

#include "isa/contract/report.h"
#include "isa/contract/stop.h"

/* All borrowed. */
struct run_facts {
    const char *guest;               /* what was run; NULL: "-" */
    const char *machine;             /* the configuration, in words; NULL: there is none to name */
    uint64_t cycles, instructions;   /* of the core; 0 where there was none */
    const struct program_stop *stop; /* what stopped the profiling program; NULL where nothing did */
    bool partial;                    /* the run was cut short */
    unsigned forked;                 /* processes that the guest's process has forked */
    const char *no_profile;          /* why the report has no profile; NULL: it has one */
    uint64_t baseline_cycles;        /* of the same run without profiling; 0: not known */
    uint64_t handler_cycles; /* of its cycles, those of handlers and of filling the pipeline again behind them; 0: not
                                known */
    uint64_t squashed;       /* instructions that interrupts squashed */
};

/* The first part: what was run. */
void run_facts_report_run(const struct run_facts *f, struct report *r);
/* The second part, behind what else is known of the run: how it ended. */
void run_facts_report_end(const struct run_facts *f, struct report *r);

#endif

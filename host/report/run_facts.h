/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The head of every report: the guest, the machine, the length of the run, and how it ended. */
#ifndef HOST_REPORT_RUN_FACTS_H
#define HOST_REPORT_RUN_FACTS_H

#include "contract/host_change.h"
#include "contract/report.h"
#include "isa/stop.h"

/* All borrowed. */
struct run_facts {
    const char *guest;             /* name of the guest; NULL: "-" */
    const char *executed;          /* the program that runs in its place; NULL: none */
    bool is_first;                 /* as the guest is a script or a link in the sysroot; else execve has loaded it */
    const char *machine;           /* textual configuration; NULL: none */
    uint64_t cycles, instructions; /* of the core; 0: no core. With several harts, of all together */
    unsigned harts;                /* number of harts, if there are several; else 0 */
    bool is_of_hart;               /* the report is of one of them: of `hart` */
    unsigned hart;
    const struct program_stop *stop; /* cause that stopped the profiling program; NULL: not stopped */
    bool partial;                    /* the run was cut short */
    unsigned process;                /* number of the process, if it was forked by the guest that is profiled; else 0 */
    unsigned forked;                 /* number of processes forked by the guest */
    const char *cold;                /* structures that began without the warmed state, and why; NULL: none */
    const char *no_profile;          /* why the report has no profile; NULL: it has one */
    uint64_t baseline_cycles;        /* cycles of the same run without profiling; 0: unknown */
    uint64_t handler_cycles;         /* cycles in handlers and in refilling the pipeline after them; 0: unknown */
    uint64_t squashed;               /* instructions that interrupts squashed */
    uint64_t host_changes[HOST_CHANGES]; /* changes that the guest made to the host's files, by kind */
};

/* Adds the first part: the run. */
void run_facts_report_run(const struct run_facts *f, struct report *r);
/* Adds the last part of the run's facts: how it ended. */
void run_facts_report_end(const struct run_facts *f, struct report *r);

#endif

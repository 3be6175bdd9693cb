/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the removal of causes of delay gains, by instruction, from the events gain.CAUSES of a selection's runs. Gains
 * do not add up: neither those of several instructions nor those of several sets of causes. */
#ifndef TOOLS_PCPROF_GAIN_H
#define TOOLS_PCPROF_GAIN_H

#include <stdio.h>

#include "tools/pcprof/input.h"

/* Events of gains have the causes behind it. */
#define PCPROF_GAIN_PREFIX "gain."

/* The gain of an instruction without some of its causes, as a share of the cycles of a run; NAN: no run has it. */
struct pcprof_gain {
    uint32_t image; /* of the profile */
    uint64_t address;
    uint32_t removed;   /* enum ideal_cause */
    double measured;    /* mean of the runs that measured it, each in a repeated run; 0: nothing, or a loss */
    double estimated;   /* mean of all runs with estimates by the profiler; it is 0 in one without this gain */
    const char *causes; /* their names, borrowed from the profile: "dtlb+l1d" */
};

struct pcprof_gains {
    struct pcprof_gain *gain; /* the largest first, by what is known best */
    size_t count;
    const char *estimated_by; /* borrowed; NULL: no profiler estimates gains */
};

/* Reads the gains of the selection's runs, and the estimates by a profiler, borrowed; NULL: the first one of the
 * profile that estimates gains. The places are those of the profile, which is of the selection, too. The caller calls
 * pcprof_gains_free, also after an error. */
enum status pcprof_gains_load(struct pcprof_gains *g, const struct pcprof_input *in, const struct profile *p,
                              const char *by, struct errmsg *err) MUST_USE;
void pcprof_gains_free(struct pcprof_gains *g);

bool pcprof_gain_is_event(const struct profile_event *e);
bool pcprof_gain_is_measured(const struct pcprof_gain *g);
/* The measured share, else the estimated one. */
double pcprof_gain_share(const struct pcprof_gain *g);
/* Adds what the instruction no longer has, "the TLB misses and cache misses". */
void pcprof_gain_add_removed(FILE *out, uint32_t removed);

#endif

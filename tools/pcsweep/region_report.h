/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What pcsweep prints of regions and of the estimates from them. */
#ifndef TOOLS_PCSWEEP_REGION_REPORT_H
#define TOOLS_PCSWEEP_REGION_REPORT_H

#include "contract/report.h"
#include "host/region/results.h"

/* A precision in per cent of the estimate; false: the text is none. */
bool region_read_percent(const char *text, double *share);
bool region_is_percent(const char *text);

/* An estimate with what it takes to reach a precision. */
struct region_outlook {
    struct region_estimate estimate;
    double *deviation; /* within each stratum. Owned. */
    double precision;  /* share of the estimate; 0: none is asked for */
    size_t chosen;
    size_t more; /* units that are needed for the precision */
};

/* The estimate from the samples of the plan's strata. */
struct region_outlook region_outlook_of(const struct region_plan *p, const struct region_samples *s, double precision);
void region_outlook_release(struct region_outlook *o);
/* Chooses the units that are missing for the precision. */
void region_outlook_choose(const struct region_outlook *o, struct region_plan *p);

/* Adds the run and its strata. */
void region_report_plan(struct report *r, const struct region_plan *p);
/* Adds the estimate of `key`, with the label, and its strata. */
void region_report_outlook(struct report *r, const struct region_plan *p, const struct region_samples *s,
                           const struct region_outlook *o, const char *key, const char *label);

#endif

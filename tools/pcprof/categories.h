/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cycles of instructions by category of the cycle stack, from the reports of a selection's runs, for exports. */
#ifndef TOOLS_PCPROF_CATEGORIES_H
#define TOOLS_PCPROF_CATEGORIES_H

#include "host/export/export.h"
#include "tools/pcprof/input.h"

/* The sums over the runs, all of the profiler of the first one; without categories `count` is 0. The places are those
 * of the profile, which `by` is a text of. The caller calls categories_free, also after an error. */
enum status categories_load(const struct pcprof_input *in, const struct profile *p, struct export_causes *causes,
                            struct errmsg *err) MUST_USE;
void categories_free(struct export_causes *causes);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the files of pcprof cfg. */
#ifndef TOOLS_PCPROF_CFG_H
#define TOOLS_PCPROF_CFG_H

#include <stdio.h>

#include "tools/pcprof/analysed.h"

struct cfg {
    struct analysed *from;
    struct analysed_procedure procedure;
    const struct analysis *analysis;
};

/* The exact number of executions of a block; of an edge inside the procedure: from the transfers of --profile paths, or
 * from the counts of an instruction without a choice. NAN: unknown. */
double cfg_exact_block(const struct cfg *c, uint32_t block);
double cfg_exact_edge(const struct cfg *c, const struct analysis_edge *e);
/* Name of an edge's kind, for reports. */
const char *cfg_edge_kind(const struct analysis_edge *e);

/* cfg_report.c: adds head, blocks and edges to a report. */
void cfg_report(const struct cfg *c, struct report *r);
/* cfg_dot.c: writes the graph in the language of Graphviz. */
void cfg_write_dot(const struct cfg *c, FILE *out);

#endif

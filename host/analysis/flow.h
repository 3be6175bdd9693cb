/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequencies of all blocks and edges of a procedure: the estimates of its classes, completed by the constraints of the
 * graph (DCPI paper, section 6.1.4). */
#ifndef HOST_ANALYSIS_FLOW_H
#define HOST_ANALYSIS_FLOW_H

#include "host/analysis/frequency.h"
#include "host/analysis/procedure.h"

struct procedure_flow {
    const struct procedure *procedure; /* borrowed */
    struct frequency *of_class;        /* by class */
};

struct procedure_flow *flow_new(const struct procedure *p);
/* NULL is allowed. */
void flow_free(struct procedure_flow *f);

/* Sets the estimates of classes (CONFIDENCE_NONE: none) and propagates: the frequency of a block is the sum of those of
 * its incoming and of its outgoing edges. No frequency becomes negative. Estimates with low confidence are used only
 * where propagation of the others gives none. What constraints leave open is shared equally among the edges of a block.
 */
void flow_propagate(struct procedure_flow *f, const struct frequency *estimate);

struct frequency flow_of_block(const struct procedure_flow *f, uint32_t block);
struct frequency flow_of_edge(const struct procedure_flow *f, uint32_t edge);

#endif

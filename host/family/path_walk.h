/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reconstruction of the execution path to a sampled instruction, backward over the control-flow graph, and comparison
 * with the true path (ProfileMe paper, section 5.3 and Figure 6).
 *
 * A path extends back to the conditional branch `length` branches before the sample. An intraprocedural path ends
 * earlier if it reaches the entry of the sample's routine; an interprocedural path continues in the callers. In both
 * scopes paths through the callers must agree with the history; an intraprocedural path is the part within the
 * routine. After a call, both go back through the callee, from its returns to its entry and then to the call, because
 * the callee's branches are in the history too. Execution counts are those of the whole run. */
#ifndef HOST_FAMILY_PATH_WALK_H
#define HOST_FAMILY_PATH_WALK_H

#include "contract/pathprof.h"
#include "host/analysis/code_graph.h"

enum path_scheme {
#define PATH_SCHEME(sym, key, title, meaning) PATH_##sym,
#include "host/family/path_scheme.def"
    PATH_SCHEMES
};

enum path_outcome {
#define PATH_OUTCOME(sym, key, meaning) PATH_##sym,
#include "host/family/path_scheme.def"
    PATH_OUTCOMES
};

enum path_scope { PATH_INTRAPROCEDURAL, PATH_INTERPROCEDURAL, PATH_SCOPES };

enum {
    PATH_RECORDS_KEPT = 32, /* depth of the control transfer records, one of those in Smctr */
    PATH_STEPS = 4096       /* limit on the edges examined in one reconstruction */
};

/* A graph with the execution counts of its blocks and edges. */
struct path_graph;

/* Borrows the graph, for which code_graph_build has been called, and the profile. */
struct path_graph *path_graph_new(struct code_graph *cfg, const struct path_profile *profile);
/* NULL is allowed. */
void path_graph_free(struct path_graph *g);

/* Reconstructs the path of a sample of the profile and compares it with the true path. length: 1 to the profile's. */
enum path_outcome path_reconstruct(const struct path_graph *g, const struct path_sample *sample,
                                   enum path_scheme scheme, enum path_scope scope, unsigned length);

#endif

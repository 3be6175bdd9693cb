/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reconstruction of the path by which control reached a sampled instruction, backward over the control-flow graph, and
 * its comparison with the true path (ProfileMe paper, section 5.3 and Figure 6).
 *
 * A path goes back to the conditional branch that is `length` branches before the sample. An intraprocedural path ends
 * earlier if it reaches the beginning of the sample's routine, an interprocedural one goes on in the callers. Paths
 * through the callers that agree with the history are looked for in both scopes; intraprocedural paths are their parts
 * in the routine. Behind a call both go back through the callee, from its returns to its entry and then to this call:
 * the callee's branches are in the history too. Execution counts are those of the whole run. */
#ifndef HOST_PATH_WALK_H
#define HOST_PATH_WALK_H

#include "host/code_graph.h"
#include "isa/contract/pathprof.h"

enum path_scheme {
#define PATH_SCHEME(sym, key, title, meaning) PATH_##sym,
#include "host/path_scheme.def"
    PATH_SCHEMES
};

enum path_outcome {
#define PATH_OUTCOME(sym, key, meaning) PATH_##sym,
#include "host/path_scheme.def"
    PATH_OUTCOMES
};

enum path_scope { PATH_INTRAPROCEDURAL, PATH_INTERPROCEDURAL, PATH_SCOPES };

enum {
    PATH_RECORDS_KEPT = 32, /* entries of the control transfer records: a depth that Smctr has */
    PATH_STEPS = 4096       /* limit on work: edges looked at in one reconstruction */
};

/* A graph with the execution counts of its blocks and edges. */
struct path_graph;

/* Borrows the graph, which has been built, and the profile. */
struct path_graph *path_graph_new(struct code_graph *cfg, const struct path_profile *profile);
/* NULL is allowed. */
void path_graph_free(struct path_graph *g);

/* Reconstructs the path of a sample of the profile and judges it; length: 1 to the profile's. */
enum path_outcome path_reconstruct(const struct path_graph *g, const struct path_sample *sample,
                                   enum path_scheme scheme, enum path_scope scope, unsigned length);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Success rate of each path reconstruction scheme (ProfileMe paper, Figure 6). */
#ifndef HOST_FAMILY_PATH_SCORE_H
#define HOST_FAMILY_PATH_SCORE_H

#include "host/family/path_walk.h"
#include "host/symbols/symbols.h"

struct path_score {
    /* Samples by scope, scheme, length from 1 to the profile's, and outcome. */
    uint64_t count[PATH_SCOPES][PATH_SCHEMES][PATH_BRANCHES + 1][PATH_OUTCOMES];
    size_t blocks, edges; /* of the control-flow graph */
};

/* The control-flow graph of the profiled program, freed by the caller. Its indirect jumps and calls have the
 * destinations observed in the run. symbols NULL: the code is unknown, and the graph is empty. */
struct code_graph *path_cfg(const struct path_profile *profile, const struct code *code, const struct symbols *symbols);

/* Reconstructs the paths of all samples of the profile by all schemes. */
void path_score(struct path_score *score, struct code_graph *cfg, const struct path_profile *profile);

#endif

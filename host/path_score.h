/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often each scheme finds the path of a sample (ProfileMe paper, Figure 6). */
#ifndef HOST_PATH_SCORE_H
#define HOST_PATH_SCORE_H

#include "host/path_walk.h"
#include "host/symbols.h"

struct path_score {
    /* Samples by scope, scheme, length from 1 to the profile's, and outcome. */
    uint64_t count[PATH_SCOPES][PATH_SCHEMES][PATH_BRANCHES + 1][PATH_OUTCOMES];
    size_t blocks, edges; /* of the control-flow graph */
};

/* The graph of the program that has the profile's samples; the caller's to free. Its indirect jumps and calls have the
 * destinations that the run took. Without symbols (NULL) its code is not known, and the graph is empty. */
struct code_graph *path_cfg(const struct path_profile *profile, const struct code *code, const struct symbols *symbols);

/* Reconstructs all samples of the profile by all schemes. */
void path_score(struct path_score *score, struct code_graph *cfg, const struct path_profile *profile);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The jobs of a study from its parts. */
#ifndef TOOLS_PCSWEEP_PLAN_JOBS_H
#define TOOLS_PCSWEEP_PLAN_JOBS_H

#include <jansson.h>

#include "tools/pcsweep/plan_parts.h"

/* Jobs in the order of the study, a line of the manifest each; those with the same id are one, with several names. */
struct plan_jobs {
    json_t *line;  /* array */
    json_t *index; /* position in `line` by id */
    size_t twice;  /* combinations that were jobs already */
};

/* The combinations of the sections `jobs`, or, without such a section, of all programs, configurations, profiles and
 * seeds. `pcemu` is the hash of its build. The caller releases them. */
void plan_jobs_expand(const struct study *s, const struct plan_parts *p, const char *pcemu, struct plan_jobs *jobs);
void plan_jobs_release(struct plan_jobs *jobs);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/complete.h"

#include <stdlib.h>
#include <string.h>

#include "host/study/result.h"

/* A job's result; `why` says why there is no valid one. */
static enum status complete_check_job(const struct manifest *m, const struct job *j, bool *is_done, struct errmsg *why,
                                      struct errmsg *err)
{
    struct result_footer f;
    const enum result_state state = result_verify(m->folder, j->id, &f, why);
    enum status st = ST_OK;
    *is_done = state == RESULT_DONE;
    if ((state == RESULT_DONE || state == RESULT_FAILED) && strcmp(f.pcemu, m->pcemu) != 0)
        st = fail(err, ST_INPUT,
                  "%s/results/%s: expected a result of build %s of pcemu, found one of %s: run the job again",
                  m->folder, j->id, m->pcemu, f.pcemu);
    else if (state == RESULT_NONE)
        (void)fail(why, ST_INPUT, "job %s has no result", j->id);
    else if (state == RESULT_FAILED)
        (void)fail(why, ST_INPUT, "job %s has failed: %s", j->id, f.failure);
    result_release(&f);
    return st;
}

enum status complete_check(const struct manifest *m, bool partial, bool **is_done, struct errmsg *err)
{
    struct errmsg first, why;
    size_t missing = 0;
    enum status st = ST_OK;
    *is_done = xcalloc(m->jobs + 1, sizeof **is_done);
    for (size_t i = 0; i < m->jobs && st == ST_OK; i++) {
        st = complete_check_job(m, &m->job[i], &(*is_done)[i], &why, err);
        if (!(*is_done)[i] && missing++ == 0)
            first = why;
    }
    if (st == ST_OK && missing > 0 && (!partial || missing == m->jobs))
        return fail(err, ST_INPUT, "%s: expected results of %zu jobs, and %zu %s: %s: `pcsweep run %s --all`%s",
                    m->folder, m->jobs, missing, missing == 1 ? "is missing" : "are missing", first.text, m->folder,
                    partial ? "" : ", or --partial");
    return st;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcsweep merge: the profiles of a study in one store. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "host/store/store.h"
#include "tools/command/output.h"
#include "tools/pcsweep/complete.h"
#include "tools/pcsweep/pcsweep.h"

static const char doc[] =
    "Merges the profiles of a study into one profile store, for pcprof: an epoch for each program, configuration and "
    "profile, which is named PROGRAM.CONFIGURATION[.PROFILE], with a run for each seed."
    "\vAll results are compared with their hashes first. The same results make the same store, byte by byte.";
static const char examples[] = "pcsweep merge study -o study.db       # for pcprof\n";

#define TOOL pcsweep
#define NAME merge
#define OPTIONS "tools/pcsweep/merge_options.def"
#define ARGUMENTS "FOLDER"
#define CHECK sweep_merge_check
#define RUNS sweep_merge_command
#include "tools/command/command.inc"

static enum status sweep_merge_check(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    const struct merge_arguments *o = options;
    (void)syntax;
    if (o->store == NULL || strcmp(o->store, "-") == 0)
        return fail(err, ST_INPUT, "expected -o STORE, a file");
    return ST_OK;
}

static bool sweep_merge_is_same_epoch(const struct job_names *a, const struct job_names *b)
{
    return strcmp(a->program, b->program) == 0 && strcmp(a->configuration, b->configuration) == 0 &&
           strcmp(a->profile, b->profile) == 0;
}

/* The epoch of a job, by its first name; the caller frees it. */
static char *sweep_merge_epoch(const struct manifest *m, const bool *is_done, size_t job)
{
    const struct job_names *n = &m->job[job].names[0];
    bool is_partial = false;
    for (size_t i = 0; i < m->jobs; i++)
        is_partial = is_partial || (!is_done[i] && sweep_merge_is_same_epoch(n, &m->job[i].names[0]));
    return xasprintf("%s.%s%s%s%s", n->program, n->configuration, n->profile[0] != '\0' ? "." : "", n->profile,
                     is_partial ? ".partial" : "");
}

static enum status sweep_merge_jobs(const struct manifest *m, const bool *is_done, struct profile_store *s,
                                    struct errmsg *err)
{
    enum status st = ST_OK;
    size_t runs, all = 0;
    for (size_t i = 0; i < m->jobs && st == ST_OK; i++) {
        if (!is_done[i])
            continue;
        char *path = xasprintf("%s/results/%s/run.db", m->folder, m->job[i].id);
        char *epoch = sweep_merge_epoch(m, is_done, i);
        st = store_merge(s, path, epoch, &runs, err);
        all += st == ST_OK ? runs : 0;
        free(epoch);
        free(path);
    }
    if (st == ST_OK)
        printf("%zu run%s of %zu job%s merged\n", all, all == 1 ? "" : "s", m->jobs, m->jobs == 1 ? "" : "s");
    return st;
}

static enum status sweep_merge_check_outputs(const struct manifest *m, struct errmsg *err)
{
    for (size_t i = 0; i < m->jobs; i++) {
        bool has_store = false;
        for (size_t n = 0; n < json_array_size(m->job[i].outputs); n++)
            has_store = has_store || strcmp(json_string_value(json_array_get(m->job[i].outputs, n)), "store") == 0;
        if (!has_store)
            return fail(err, ST_INPUT,
                        "%s: expected results with profile stores: write outputs = {store} into the "
                        "study, and plan it again",
                        m->folder);
    }
    return ST_OK;
}

/* The store is written beside the one that it replaces. */
static enum status sweep_merge_write(const struct manifest *m, const bool *is_done, const char *path,
                                     struct errmsg *err)
{
    struct profile_store *s = NULL;
    char *part = xasprintf("%s.merging.%ld", path, (long)getpid());
    enum status st = store_open(&s, part, STORE_CREATE, STORE_WAIT_MS, err);
    if (st == ST_OK)
        st = sweep_merge_jobs(m, is_done, s, err);
    store_close(s);
    if (st == ST_OK && rename(part, path) != 0)
        st = fail(err, ST_IO, "%s: cannot be made: %s", path, strerror(errno));
    if (st != ST_OK)
        unlink(part);
    free(part);
    return st;
}

static enum status sweep_merge_command(const struct merge_arguments *o, struct errmsg *err)
{
    struct manifest m;
    bool *is_done = NULL;
    enum status st = manifest_load(o->folder, &m, err);
    if (st == ST_OK)
        st = sweep_merge_check_outputs(&m, err);
    if (st == ST_OK)
        st = complete_check(&m, o->partial, &is_done, err);
    if (st == ST_OK)
        st = sweep_merge_write(&m, is_done, o->store, err);
    free(is_done);
    manifest_release(&m);
    return st;
}

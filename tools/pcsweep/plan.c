/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcsweep plan: a study, expanded into jobs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/outfile.h"
#include "base/sha1.h"
#include "host/report/json_value.h"
#include "host/study/manifest.h"
#include "host/study/result.h"
#include "tools/command/output.h"
#include "tools/pcsweep/inputs.h"
#include "tools/pcsweep/pcsweep.h"
#include "tools/pcsweep/plan_check.h"
#include "tools/pcsweep/plan_jobs.h"

static const char doc[] =
    "Expands a study file into jobs, one run of pcemu each: all combinations of its programs, configurations, profiles "
    "and seeds, or those of its sections jobs."
    "\vFOLDER gets manifest.jsonl, which has a job in each line, and copies of all inputs. A job's id is the hash of "
    "all that decides its result: the contents of the inputs, the configuration, seed, options, and the build of "
    "pcemu. A study can be planned again into the same folder: results of jobs that it still has are kept.";
static const char examples[] = "pcsweep plan study.conf -o study     # study/manifest.jsonl has the jobs\n";

#define TOOL pcsweep
#define NAME plan
#define OPTIONS "tools/pcsweep/plan_options.def"
#define ARGUMENTS "STUDY"
#include "tools/command/command.inc"

static enum status plan_write(const struct study *s, const char *folder, const char *pcemu, const json_t *lines,
                              struct errmsg *err)
{
    const struct study_value *baseline = study_one(study_root(s), STUDY_ROOT_BASELINE);
    char *path = xasprintf("%s/manifest.jsonl", folder);
    struct outfile f;
    enum status st = outfile_open(&f, path, err);
    if (st == ST_OK) {
        json_t *head = json_object();
        json_put(head, "format", json_string("pcsweep manifest"));
        json_put(head, "version", json_integer(MANIFEST_VERSION));
        json_put(head, "pcemu", json_string(pcemu));
        json_put(head, "baseline", json_text(baseline != NULL ? baseline->text : NULL));
        json_dumpf(head, f.stream, JSON_COMPACT);
        json_decref(head);
        fputc('\n', f.stream);
        for (size_t i = 0; i < json_array_size(lines); i++) {
            json_dumpf(json_array_get(lines, i), f.stream, JSON_COMPACT);
            fputc('\n', f.stream);
        }
        st = outfile_commit(&f, err);
    }
    free(path);
    return st;
}

static size_t plan_count_results(const char *folder, const json_t *lines)
{
    size_t done = 0;
    for (size_t i = 0; i < json_array_size(lines); i++) {
        struct result_footer f;
        struct errmsg why;
        const char *id = json_string_value(json_object_get(json_array_get(lines, i), "id"));
        done += result_read(folder, id, &f, &why) == RESULT_DONE;
        result_release(&f);
    }
    return done;
}

static void plan_print(const char *folder, const struct plan_jobs *jobs)
{
    const size_t count = json_array_size(jobs->line), done = plan_count_results(folder, jobs->line);
    printf("%s/manifest.jsonl: %zu job%s", folder, count, count == 1 ? "" : "s");
    if (jobs->twice > 0)
        printf(", of %zu combinations", count + jobs->twice);
    if (done > 0)
        printf("; %zu %s done", done, done == 1 ? "is" : "are");
    putchar('\n');
}

static enum status plan_study(const struct study *s, const struct pcemu_words *w, const char *folder,
                              struct errmsg *err)
{
    struct plan_parts parts = {0};
    char hash[SHA1_TEXT];
    enum status st = plan_check_options(s, w, err);
    if (st == ST_OK)
        st = plan_check_profilers(s, w, err);
    if (st == ST_OK)
        st = pcemu_hash(hash, err);
    if (st == ST_OK)
        st = inputs_make_folder(folder, err);
    if (st == ST_OK)
        st = plan_parts_load(s, w, folder, &parts, err);
    if (st == ST_OK) {
        struct plan_jobs jobs;
        plan_jobs_expand(s, &parts, hash, &jobs);
        st = plan_write(s, folder, hash, jobs.line, err);
        if (st == ST_OK)
            plan_print(folder, &jobs);
        plan_jobs_release(&jobs);
    }
    plan_parts_release(&parts);
    return st;
}

/* The study's name without its ending; the caller frees it. */
static char *plan_folder(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash != NULL ? slash : path, '.');
    return dot != NULL && dot > path && dot[-1] != '/' ? xasprintf("%.*s", (int)(dot - path), path)
                                                       : xasprintf("%s.study", path);
}

static enum status plan_command(const struct plan_arguments *o, struct errmsg *err)
{
    struct study *s;
    struct pcemu_words w = {0};
    char *folder = o->folder != NULL ? xstrdup(o->folder) : plan_folder(o->study);
    enum status st = study_load(o->study, &s, err);
    if (st == ST_OK)
        st = pcemu_words_load(&w, err);
    if (st == ST_OK)
        st = plan_study(s, &w, folder, err);
    pcemu_words_release(&w);
    study_free(s);
    free(folder);
    return st;
}

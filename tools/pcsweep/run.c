/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcsweep run: the worker, which runs jobs that have no valid result. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/options.h"
#include "host/study/result.h"
#include "tools/command/output.h"
#include "tools/pcsweep/job_run.h"
#include "tools/pcsweep/locks.h"
#include "tools/pcsweep/pcemu_words.h"
#include "tools/pcsweep/pcsweep.h"

static const char doc[] =
    "Runs jobs of a study that have no valid result. An ID may be shortened to a beginning that no other job has."
    "\vSeveral workers, on several machines, can run jobs of a folder at once: each job is locked while it runs. A job "
    "is deterministic, so one that was ended is run again from its start. A result that is damaged is run again, and "
    "so is that of a job that has failed. SIGUSR1 ends the jobs that are running.";
static const char examples[] = "pcsweep run study --all -j 2          # two jobs at once\n";

/* A job has failed; jobs are to be run again: another worker has them, or SIGUSR1 came (EX_TEMPFAIL). */
enum { RUN_EXIT_FAILED = 70, RUN_EXIT_AGAIN = 75 };

#define TOOL pcsweep
#define NAME run
#define OPTIONS "tools/pcsweep/run_options.def"
#define ARGUMENTS "FOLDER ID...|--all"
#define CHECK run_check
#define EXIT_STATUS                                                                                                \
    "0; 2 for bad usage or input; 70 if a job has failed; 75 if jobs are to be run again, because another worker " \
    "has them, or SIGUSR1 came."
#define EXIT_OF run_exit_status
static int run_exit_status(enum status st);
#include "tools/command/command.inc"

static enum status run_check(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    const struct run_arguments *o = options;
    (void)syntax;
    if (o->all == (o->id.count > 0))
        return fail(err, ST_INPUT, "expected ids of jobs, or --all");
    return ST_OK;
}

static int run_exit_status(enum status st)
{
    return st == ST_UNMET ? RUN_EXIT_FAILED : st == ST_AGAIN ? RUN_EXIT_AGAIN : EXIT_BAD_INPUT;
}

struct run_worker {
    struct manifest manifest;
    int locks;
    const struct job **job; /* that are to be run, without repetitions */
    size_t jobs, next;
    struct job_run *running; /* `most` places */
    size_t most, count;
    size_t failed, left; /* left to other workers */
    bool is_stopped;
};

static void run_print(const struct job *j, const char *what)
{
    const struct job_names *n = &j->names[0];
    printf("%.12s %s %s%s%s seed %llu: %s\n", j->id, n->program, n->configuration, n->profile[0] != '\0' ? " " : "",
           n->profile, (unsigned long long)j->seed, what);
    fflush(stdout);
}

/* Whether the job, whose lock this worker has, is still to be run. */
static bool run_is_needed(const struct run_worker *w, const struct job *j)
{
    struct result_footer f;
    struct errmsg why;
    enum result_state state = result_verify(w->manifest.folder, j->id, &f, &why);
    if (state == RESULT_DONE && strcmp(f.pcemu, w->manifest.pcemu) != 0) {
        (void)fail(&why, ST_INPUT, "%s/results/%s: expected a result of build %s of pcemu, found one of %s",
                   w->manifest.folder, j->id, w->manifest.pcemu, f.pcemu);
        state = RESULT_CORRUPT;
    }
    if (state == RESULT_CORRUPT)
        fprintf(stderr, "pcsweep: %s; the job is run again\n", why.text);
    if (state == RESULT_DONE)
        run_print(j, "is done already");
    result_release(&f);
    return state != RESULT_DONE;
}

static void run_fail_job(struct run_worker *w, const struct job *j, const char *why)
{
    char *text = xasprintf("failed: %s", why);
    run_print(j, text);
    free(text);
    w->failed++;
}

/* Starts the next job that is to be run, if there is one. */
static enum status run_start_next(struct run_worker *w, struct errmsg *err)
{
    while (w->next < w->jobs) {
        const struct job *j = w->job[w->next++];
        struct errmsg why;
        bool is_taken;
        enum status st = locks_take(w->locks, j->id, &is_taken, err);
        if (st != ST_OK)
            return st;
        if (!is_taken) {
            run_print(j, "another worker runs it");
            w->left++;
            continue;
        }
        if (run_is_needed(w, j)) {
            if (job_run_start(&w->running[w->count], &w->manifest, j, &why) == ST_OK) {
                w->count++;
                return ST_OK;
            }
            run_fail_job(w, j, why.text);
        }
        locks_release(w->locks, j->id);
    }
    return ST_OK;
}

static void run_finish(struct run_worker *w, size_t n, int status)
{
    struct job_run *r = &w->running[n];
    const struct job *j = r->job;
    struct errmsg why;
    if (job_run_finish(r, status, &why) != ST_OK)
        run_fail_job(w, j, why.text);
    else if (r->failure.text[0] != '\0')
        run_fail_job(w, j, r->failure.text);
    else
        run_print(j, "done");
    locks_release(w->locks, j->id);
    w->running[n] = w->running[--w->count];
}

static void run_reap(struct run_worker *w)
{
    for (size_t n = w->count; n-- > 0;) {
        int status;
        if (waitpid(w->running[n].process, &status, WNOHANG) == w->running[n].process)
            run_finish(w, n, status);
    }
}

static void run_stop(struct run_worker *w)
{
    while (w->count > 0) {
        struct job_run *r = &w->running[--w->count];
        const struct job *j = r->job;
        job_run_abort(r);
        locks_release(w->locks, j->id);
        run_print(j, "ended by SIGUSR1");
    }
    w->is_stopped = true;
}

/* The signals that run_all_jobs waits for. They are blocked from the start on, so none is missed. */
static sigset_t run_block_signals(void)
{
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGUSR1);
    (void)sigprocmask(SIG_BLOCK, &awaited, NULL);
    return awaited;
}

static enum status run_all_jobs(struct run_worker *w, const sigset_t *awaited, struct errmsg *err)
{
    enum status st = ST_OK;
    for (;;) {
        while (st == ST_OK && w->count < w->most && w->next < w->jobs)
            st = run_start_next(w, err);
        if (w->count == 0)
            return st;
        const int signal = sigwaitinfo(awaited, NULL);
        if (signal == SIGUSR1) {
            run_stop(w);
            return st;
        }
        run_reap(w);
    }
}

static enum status run_choose(struct run_worker *w, const struct run_arguments *o, struct errmsg *err)
{
    const size_t count = o->all ? w->manifest.jobs : o->id.count;
    w->job = xcalloc(count + 1, sizeof *w->job);
    for (size_t i = 0; i < count; i++) {
        const struct job *j = o->all ? &w->manifest.job[i] : manifest_find(&w->manifest, o->id.text[i], err);
        bool is_repeated = false;
        if (j == NULL)
            return ST_INPUT;
        for (size_t n = 0; n < w->jobs && !o->all; n++)
            is_repeated = is_repeated || w->job[n] == j;
        if (!is_repeated)
            w->job[w->jobs++] = j;
    }
    return ST_OK;
}

static enum status run_check_build(const struct manifest *m, struct errmsg *err)
{
    char hash[SHA1_TEXT];
    enum status st = pcemu_hash(hash, err);
    if (st == ST_OK && strcmp(hash, m->pcemu) != 0)
        st = fail(err, ST_INPUT,
                  "%s: expected the build %s of pcemu, for which the study was planned, found %s: plan the study again",
                  m->folder, m->pcemu, hash);
    return st;
}

static enum status run_judge(const struct run_worker *w, struct errmsg *err)
{
    if (w->failed > 0)
        return fail(err, ST_UNMET, "%s: %zu job%s failed", w->manifest.folder, w->failed, w->failed == 1 ? "" : "s");
    if (w->is_stopped)
        return fail(err, ST_AGAIN, "%s: ended by SIGUSR1", w->manifest.folder);
    if (w->left > 0)
        return fail(err, ST_AGAIN, "%s: other workers run %zu job%s", w->manifest.folder, w->left,
                    w->left == 1 ? "" : "s");
    return ST_OK;
}

static enum status run_command(const struct run_arguments *o, struct errmsg *err)
{
    struct run_worker w = {.locks = -1, .most = o->jobs, .running = xcalloc(o->jobs, sizeof *w.running)};
    const sigset_t awaited = run_block_signals();
    (void)setenv("SOURCE_DATE_EPOCH", "0", 1); /* the time of runs in profile stores */
    enum status st = manifest_load(o->folder, &w.manifest, err);
    if (st == ST_OK)
        st = run_choose(&w, o, err);
    if (st == ST_OK)
        st = run_check_build(&w.manifest, err);
    if (st == ST_OK)
        st = locks_open(o->folder, &w.locks, err);
    if (st == ST_OK)
        st = run_all_jobs(&w, &awaited, err);
    if (st == ST_OK)
        st = run_judge(&w, err);
    if (w.locks >= 0)
        close(w.locks);
    free(w.running);
    free(w.job);
    manifest_release(&w.manifest);
    return st;
}

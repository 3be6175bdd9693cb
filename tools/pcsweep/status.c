/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcsweep status: how far a study is, by the footers of results and the locks of jobs. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/options.h"
#include "contract/report.h"
#include "host/study/manifest.h"
#include "host/study/result.h"
#include "tools/command/output.h"
#include "tools/pcsweep/locks.h"
#include "tools/pcsweep/pcsweep.h"

static const char doc[] =
    "Says how many jobs of a study are done, have failed, are running and are left, and why jobs have failed."
    "\vThe footers of results and the locks of jobs are read, and no file of a result: a result that was damaged later "
    "counts as done, until run, merge or table reads it. The time left assumes that each job takes the mean of those "
    "done, and that as many run at once as do now.";
static const char examples[] = "pcsweep status study\n"
                               "pcsweep status --format json study    # for scripts\n";

#define TOOL pcsweep
#define NAME status
#define OPTIONS "tools/pcsweep/status_options.def"
#define ARGUMENTS "FOLDER"
#include "tools/command/command.inc"

/* Of jobs that are not done: why not. */
struct status_problem {
    const struct job *job;
    const char *state;
    char *why;
};

struct status_sums {
    uint64_t done, failed, damaged, running, left; /* jobs */
    uint64_t milliseconds;                         /* of those done */
    struct status_problem *problem;
    size_t problems;
};

static void status_add_problem(struct status_sums *s, const struct job *j, const char *state, const char *why)
{
    s->problem = xgrow(s->problem, s->problems, sizeof *s->problem);
    s->problem[s->problems++] = (struct status_problem){j, state, xstrdup(why)};
}

static void status_add_job(struct status_sums *s, const struct manifest *m, const struct job *j, int locks)
{
    struct result_footer f;
    struct errmsg why;
    const enum result_state state = result_read(m->folder, j->id, &f, &why);
    if (state == RESULT_DONE) {
        s->done++;
        s->milliseconds += f.milliseconds;
    } else if (locks_is_held(locks, j->id))
        s->running++;
    else if (state == RESULT_FAILED) {
        s->failed++;
        status_add_problem(s, j, "failed", f.failure);
    } else if (state == RESULT_CORRUPT) {
        s->damaged++;
        status_add_problem(s, j, "damaged", why.text);
    } else
        s->left++;
    result_release(&f);
}

static void status_columns(struct report_table *t, const struct status_problem *p)
{
    static const struct job_names none = {"", "", ""};
    const struct job_names *n = p->job != NULL ? &p->job->names[0] : &none;
    REPORT_COLUMN(t, TEXT, p->job != NULL ? p->job->id : "", .member = "id", .title = "job");
    REPORT_COLUMN(t, TEXT, n->program, .member = "program", .title = "program");
    REPORT_COLUMN(t, TEXT, n->configuration, .member = "configuration", .title = "configuration");
    REPORT_COLUMN(t, TEXT, n->profile[0] != '\0' ? n->profile : NULL, .member = "profile", .title = "profile",
                  .absent = "-");
    REPORT_COLUMN(t, COUNT, p->job != NULL ? p->job->seed : 0, .member = "seed", .title = "seed", .plain = true);
    REPORT_COLUMN(t, TEXT, p->state, .member = "state", .title = "state");
    REPORT_COLUMN(t, TEXT, p->why, .member = "why", .title = "why");
}

static void status_add_rate(struct report *r, const struct status_sums *s)
{
    const uint64_t to_do = s->failed + s->damaged + s->running + s->left;
    const double each = s->done > 0 ? (double)s->milliseconds / 1000 / (double)s->done : NAN;
    report_real(r, "seconds_each", "mean time of a job", each, 1, "seconds");
    if (s->running == 0)
        return;
    report_real(r, "jobs_per_hour", "rate", 3600 * (double)s->running / each, 0, "jobs per hour");
    report_real(r, "seconds_left", "time left", (double)to_do * each / (double)s->running, 0, "seconds");
}

static struct report *status_report(const struct manifest *m, const struct status_sums *s)
{
    struct report *r = report_new();
    report_text(r, "study", "study", m->folder);
    report_count(r, "jobs", "jobs", m->jobs, NULL);
    report_count(r, "done", "done", s->done, NULL);
    report_count(r, "failed", "failed", s->failed, NULL);
    report_count(r, "damaged", "damaged", s->damaged, NULL);
    report_count(r, "running", "running", s->running, NULL);
    report_count(r, "left", "left", s->left, NULL);
    status_add_rate(r, s);
    if (s->problems == 0)
        return r;
    struct report_table *t = report_table(r, "problems", "Jobs to be run again, {shown} of {rows}");
    status_columns(t, &(struct status_problem){0});
    for (size_t i = 0; i < s->problems; i++) {
        report_row(t);
        status_columns(t, &s->problem[i]);
    }
    return r;
}

static enum status status_command(const struct status_arguments *o, struct errmsg *err)
{
    struct manifest m;
    struct status_sums s = {0};
    int locks = -1;
    enum status st = manifest_load(o->folder, &m, err);
    if (st == ST_OK)
        st = locks_open(o->folder, &locks, err);
    for (size_t i = 0; i < m.jobs && st == ST_OK; i++)
        status_add_job(&s, &m, &m.job[i], locks);
    if (st == ST_OK) {
        struct report *r = status_report(&m, &s);
        st = command_write(&COMMAND_OUTPUT(o), r, err);
        report_free(r);
    }
    for (size_t i = 0; i < s.problems; i++)
        free(s.problem[i].why);
    free(s.problem);
    if (locks >= 0)
        close(locks);
    manifest_release(&m);
    return st;
}

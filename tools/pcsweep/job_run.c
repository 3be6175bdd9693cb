/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/job_run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/outfile.h"
#include "host/report/json_value.h"
#include "host/study/result.h"
#include "tools/pcsweep/child.h"
#include "tools/pcsweep/folders.h"
#include "tools/pcsweep/inputs.h"
#include "tools/pcsweep/pcemu_words.h"

/* Files in the result's folder. Each file of the study is three folders above the working folder of pcemu. */
#define JOB_REPORT "report.json"
#define JOB_STATISTICS "statistics.json"
#define JOB_STORE "run.db"
enum { JOB_OUTPUT_ARGUMENTS = 16 };

/* ---- start ---- */

/* The arguments of pcemu; the caller frees the array and its first element. */
static char **job_run_arguments(const struct job *j)
{
    const size_t count = json_array_size(j->command);
    const char **argv = xcalloc(count + JOB_OUTPUT_ARGUMENTS, sizeof *argv);
    size_t n = 0, i;
    json_t *text;
    argv[n++] = pcemu_path();
    argv[n++] = "--format=json";
    argv[n++] = "--output=../" JOB_REPORT;
    json_array_foreach(j->outputs, i, text) argv[n++] = strcmp(json_string_value(text), "store") == 0
                                                            ? "--collect=../" JOB_STORE
                                                            : "--stats=../" JOB_STATISTICS;
    json_array_foreach(j->command, i, text) argv[n++] = json_string_value(text);
    return (char **)(uintptr_t)argv;
}

static char *job_run_part_path(const struct manifest *m, const struct job *j)
{
    char host[256] = "";
    (void)gethostname(host, sizeof host - 1);
    return xasprintf("%s/results/%s.tmp.%s.%ld", m->folder, j->id, host, (long)getpid());
}

static enum status job_run_make_folders(const struct job_run *r, const char *work, struct errmsg *err)
{
    char *results = xasprintf("%s/results", r->manifest->folder), *left = xasprintf("%s.tmp.", r->job->id);
    enum status st = inputs_make_folder(results, err);
    if (st == ST_OK)
        st = folder_remove_all(results, left, err);
    if (st == ST_OK)
        st = inputs_make_folder(r->part, err);
    if (st == ST_OK && r->job->folder == NULL)
        st = inputs_make_folder(work, err);
    else if (st == ST_OK) {
        char *from = xasprintf("%s/%s", r->manifest->folder, r->job->folder), cp[] = "cp", copy[] = "-a";
        char *argv[] = {cp, copy, from, (char *)(uintptr_t)work, NULL};
        st = child_run(&(struct child){.argv = argv, .output = -1, .error = -1}, err);
        free(from);
    }
    free(results);
    free(left);
    return st;
}

static int job_run_open(const struct job_run *r, const char *name)
{
    char *path = xasprintf("%s/%s", r->part, name);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    free(path);
    return fd;
}

static enum status job_run_start_pcemu(struct job_run *r, const char *work, struct errmsg *err)
{
    char **argv = job_run_arguments(r->job);
    char *input = r->job->input != NULL ? xasprintf("%s/%s", r->manifest->folder, r->job->input) : NULL;
    const int output = job_run_open(r, "stdout"), error = job_run_open(r, "stderr");
    const struct child c = {.argv = argv, .folder = work, .input = input, .output = output, .error = error};
    enum status st = output >= 0 && error >= 0
                         ? child_start(&c, &r->process, err)
                         : fail(err, ST_IO, "%s: no file can be made: %s", r->part, strerror(errno));
    if (output >= 0)
        close(output);
    if (error >= 0)
        close(error);
    free(input);
    free(argv[0]);
    free(argv);
    return st;
}

/* Removes what the run has written. An error is that of the next run, which finds it. */
static void job_run_remove_part(const struct job_run *r)
{
    struct errmsg err;
    if (folder_remove(r->part, &err) != ST_OK)
        fprintf(stderr, "pcsweep: %s\n", err.text);
}

static void job_run_release(struct job_run *r)
{
    free(r->part);
    r->part = NULL;
}

enum status job_run_start(struct job_run *r, const struct manifest *m, const struct job *j, struct errmsg *err)
{
    *r = (struct job_run){.manifest = m, .job = j, .part = job_run_part_path(m, j)};
    char *work = xasprintf("%s/work", r->part);
    (void)clock_gettime(CLOCK_MONOTONIC, &r->start);
    enum status st = job_run_make_folders(r, work, err);
    if (st == ST_OK)
        st = job_run_start_pcemu(r, work, err);
    free(work);
    if (st != ST_OK) {
        job_run_remove_part(r);
        job_run_release(r);
    }
    return st;
}

/* ---- finish ---- */

/* The report: what the footer says of it. */
struct job_report {
    uint64_t instructions, cycles;
    char *fault; /* of the profiling program; NULL: none */
};

static enum status job_run_read_report(const struct job_run *r, struct job_report *report, struct errmsg *why)
{
    char *path = xasprintf("%s/" JOB_REPORT, r->part);
    json_error_t e;
    json_t *json = json_load_file(path, 0, &e);
    enum status st = ST_OK;
    if (json == NULL)
        st = fail(why, ST_FORMAT, "expected a report of pcemu, found: %s", e.text);
    else {
        const char *fault = json_string_value(json_object_get(json, "fault"));
        report->instructions = (uint64_t)json_integer_value(json_object_get(json, "instructions"));
        report->cycles = (uint64_t)json_integer_value(json_object_get(json, "cycles"));
        report->fault = fault != NULL ? xstrdup(fault) : NULL;
    }
    json_decref(json);
    free(path);
    return st;
}

/* Usage and input that pcemu refuses have its message as their cause; of all else the file of messages says more. */
static void job_run_explain_exit(struct job_run *r, int exit_status)
{
    char *path = xasprintf("%s/stderr", r->part),
         *cause = exit_status == EXIT_BAD_INPUT ? pcemu_last_message(path) : NULL;
    (void)fail(&r->failure, ST_INPUT, "exit status %d instead of %llu; %s", exit_status,
               (unsigned long long)r->job->status, cause != NULL ? cause : "stderr of the result has the messages");
    free(cause);
    free(path);
}

/* Sets r->failure if the job has not done what it should. */
static void job_run_judge(struct job_run *r, int status, const struct job_report *report, enum status reading,
                          const struct errmsg *why)
{
    const struct job *j = r->job;
    if (WIFSIGNALED(status))
        (void)fail(&r->failure, ST_INPUT, "pcemu was ended by signal %d", WTERMSIG(status));
    else if ((uint64_t)WEXITSTATUS(status) != j->status)
        job_run_explain_exit(r, WEXITSTATUS(status));
    else if (reading != ST_OK)
        r->failure = *why;
    else if (j->knows_instructions && report->instructions != j->instructions)
        (void)fail(&r->failure, ST_INPUT, "%llu instructions retired instead of %llu",
                   (unsigned long long)report->instructions, (unsigned long long)j->instructions);
    else if (report->fault != NULL)
        (void)fail(&r->failure, ST_INPUT, "the profiling program had a fault: %s", report->fault);
}

static enum status job_run_describe_files(const struct job_run *r, json_t *files, struct errmsg *err)
{
    DIR *d = opendir(r->part);
    const struct dirent *e;
    enum status st = ST_OK;
    if (d == NULL)
        return fail(err, ST_IO, "%s: %s", r->part, strerror(errno));
    while (st == ST_OK && (e = readdir(d)) != NULL)
        if (e->d_name[0] != '.') {
            char *path = xasprintf("%s/%s", r->part, e->d_name);
            json_t *file = result_describe_file(path, err);
            if (file == NULL)
                st = ST_IO;
            else
                json_put(files, e->d_name, file);
            free(path);
        }
    closedir(d);
    return st;
}

static json_t *job_run_footer(const struct job_run *r, int status, const struct job_report *report)
{
    const struct job *j = r->job;
    struct timespec end;
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    json_t *f = json_object();
    json_put(f, "format", json_string("pcsweep result"));
    json_put(f, "version", json_integer(RESULT_VERSION));
    json_put(f, "id", json_string(j->id));
    json_put(f, "pcemu", json_string(r->manifest->pcemu));
    json_put(f, "failure", json_text(r->failure.text[0] != '\0' ? r->failure.text : NULL));
    json_put(f, "status", json_integer(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status)));
    json_put(f, "instructions_expected",
             j->knows_instructions ? json_integer((json_int_t)j->instructions) : json_null());
    json_put(f, "instructions", json_integer((json_int_t)report->instructions));
    json_put(f, "cycles", json_integer((json_int_t)report->cycles));
    json_put(f, "milliseconds",
             json_integer((end.tv_sec - r->start.tv_sec) * 1000 + (end.tv_nsec - r->start.tv_nsec) / 1000000));
    return f;
}

static enum status job_run_write_footer(const struct job_run *r, int status, const struct job_report *report,
                                        struct errmsg *err)
{
    char *path = xasprintf("%s/footer.json", r->part);
    json_t *f = job_run_footer(r, status, report), *files = json_put(f, "files", json_object());
    struct outfile out;
    enum status st = job_run_describe_files(r, files, err);
    if (st == ST_OK)
        st = outfile_open(&out, path, err);
    if (st == ST_OK) {
        json_dumpf(f, out.stream, JSON_INDENT(1) | JSON_SORT_KEYS);
        fputc('\n', out.stream);
        st = outfile_commit(&out, err);
    }
    json_decref(f);
    free(path);
    return st;
}

/* The result takes the place of one that is no more valid. */
static enum status job_run_publish(const struct job_run *r, struct errmsg *err)
{
    char *results = xasprintf("%s/results", r->manifest->folder), *whole = xasprintf("%s/%s", results, r->job->id);
    enum status st = folder_sync(r->part, err);
    if (st == ST_OK)
        st = folder_remove(whole, err);
    if (st == ST_OK && rename(r->part, whole) != 0)
        st = fail(err, ST_IO, "%s: cannot be made: %s", whole, strerror(errno));
    if (st == ST_OK)
        st = folder_sync(results, err);
    free(results);
    free(whole);
    return st;
}

enum status job_run_finish(struct job_run *r, int status, struct errmsg *err)
{
    struct job_report report = {0};
    struct errmsg why;
    char *work = xasprintf("%s/work", r->part);
    const enum status reading = job_run_read_report(r, &report, &why);
    job_run_judge(r, status, &report, reading, &why);
    enum status st = folder_remove(work, err);
    if (st == ST_OK)
        st = job_run_write_footer(r, status, &report, err);
    if (st == ST_OK)
        st = job_run_publish(r, err);
    if (st != ST_OK)
        job_run_remove_part(r);
    free(work);
    free(report.fault);
    job_run_release(r);
    return st;
}

void job_run_abort(struct job_run *r)
{
    (void)kill(r->process, SIGKILL);
    (void)waitpid(r->process, NULL, 0);
    job_run_remove_part(r);
    job_run_release(r);
}

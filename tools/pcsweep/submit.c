/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcsweep submit: workers for the jobs that are left, by GNU parallel or Slurm. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/outfile.h"
#include "base/shipped.h"
#include "host/study/manifest.h"
#include "host/study/result.h"
#include "tools/command/output.h"
#include "tools/pcsweep/child.h"
#include "tools/pcsweep/pcsweep.h"

static const char doc[] =
    "Writes what an engine needs to run the jobs that are left, and prints the command that starts it."
    "\vFOLDER/batches has the ids of a task in each line, and FOLDER/submit.sh runs them by GNU parallel or as an "
    "array "
    "job of Slurm. An engine places tasks and nothing else: whether a job is done, its result says. A task that Slurm "
    "is about to end gets SIGUSR1, and is queued again.";
static const char examples[] = "pcsweep submit study --engine parallel -j 2\n"
                               "pcsweep submit study --engine slurm --batch 4\n";

enum submit_engine { SUBMIT_LOCAL, SUBMIT_PARALLEL, SUBMIT_SLURM };
static const char *const submit_engine_names[] = {"local", "parallel", "slurm"};
enum { SLURM_TASKS = 1000, SLURM_AT_ONCE = 64 }; /* a task less than MaxArraySize is by default */

#define TOOL pcsweep
#define NAME submit
#define OPTIONS "tools/pcsweep/submit_options.def"
#define ARGUMENTS "FOLDER"
#include "tools/command/command.inc"

/* Writes a word of the shell. */
static void submit_quote(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text != '\0'; text++)
        fputs(*text == '\'' ? "'\\''" : (char[]){*text, '\0'}, out);
    fputc('\'', out);
}

static enum status submit_write_batches(const struct manifest *m, const struct job **left, size_t count, size_t batch,
                                        struct errmsg *err)
{
    char *path = xasprintf("%s/batches", m->folder);
    struct outfile f;
    enum status st = outfile_open(&f, path, err);
    if (st == ST_OK) {
        for (size_t i = 0; i < count; i++)
            fprintf(f.stream, "%s%c", left[i]->id, (i + 1) % batch == 0 || i + 1 == count ? '\n' : ' ');
        st = outfile_commit(&f, err);
    }
    free(path);
    return st;
}

static void submit_write_parallel(FILE *out, uint64_t jobs)
{
    fputs("# Exit status 75 in joblog: the task is to be run again.\n", out);
    fprintf(out,
            "exec parallel --joblog \"$study/joblog\" --jobs %llu --arg-file \"$study/batches\" \\\n"
            "    '\"$pcsweep\" run \"$study\" {=uq=}'\n",
            (unsigned long long)jobs);
}

static void submit_write_slurm_task(FILE *out)
{
    fputs("ids=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" \"$study/batches\")\n"
          "# shellcheck disable=SC2086 # ids, meant to be split\n"
          "\"$pcsweep\" run \"$study\" $ids &\n"
          "worker=$!\n"
          "trap 'kill -USR1 $worker' USR1\n"
          "wait $worker\n"
          "status=$?\n"
          "# wait ends at the signal, too.\n"
          "while kill -0 $worker 2> /dev/null; do\n"
          "    wait $worker\n"
          "    status=$?\n"
          "done\n"
          "[ $status != 75 ] || scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"\n"
          "exit $status\n",
          out);
}

static enum status submit_write_script(const struct manifest *m, enum submit_engine engine, size_t tasks, uint64_t jobs,
                                       struct errmsg *err)
{
    char *path = xasprintf("%s/submit.sh", m->folder), *folder = realpath(m->folder, NULL);
    char *tool = shipped_file("bin/pcsweep");
    struct outfile f;
    enum status st = outfile_open(&f, path, err);
    if (st == ST_OK) {
        FILE *out = f.stream;
        fputs("#!/bin/sh\n", out);
        if (engine == SUBMIT_SLURM)
            fprintf(out,
                    "#SBATCH --job-name=pcsweep --ntasks=1 --requeue --signal=B:USR1@120\n"
                    "#SBATCH --array=0-%zu%%%llu\n",
                    tasks - 1, (unsigned long long)jobs);
        fputs("# Written by pcsweep submit.\npcsweep=", out);
        submit_quote(out, tool);
        fputs(" study=", out);
        submit_quote(out, folder != NULL ? folder : m->folder);
        fputs("\nexport pcsweep study\n", out);
        if (engine == SUBMIT_SLURM)
            submit_write_slurm_task(out);
        else
            submit_write_parallel(out, jobs);
        st = outfile_commit(&f, err);
    }
    free(path);
    free(folder);
    free(tool);
    return st;
}

/* The jobs without a result, by the footers. The caller frees the array. */
static const struct job **submit_find_left(const struct manifest *m, size_t *count)
{
    const struct job **left = xcalloc(m->jobs + 1, sizeof *left);
    *count = 0;
    for (size_t i = 0; i < m->jobs; i++) {
        struct result_footer f;
        struct errmsg why;
        if (result_read(m->folder, m->job[i].id, &f, &why) != RESULT_DONE)
            left[(*count)++] = &m->job[i];
        result_release(&f);
    }
    return left;
}

/* Runs or prints the engine's command. */
static enum status submit_start(const struct manifest *m, enum submit_engine engine, uint64_t jobs, bool start,
                                struct errmsg *err)
{
    char *script = xasprintf("%s/submit.sh", m->folder), *number = xasprintf("%llu", (unsigned long long)jobs);
    char *tool = start ? shipped_file("bin/pcsweep") : xstrdup("pcsweep");
    char run[] = "run", all[] = "--all", j[] = "-j", sh[] = "sh", sbatch[] = "sbatch";
    char *local[] = {tool, run, m->folder, all, j, number, NULL};
    char *by_script[] = {engine == SUBMIT_SLURM ? sbatch : sh, script, NULL};
    char **argv = engine == SUBMIT_LOCAL ? local : by_script;
    enum status st = ST_OK;
    if (start)
        st = child_run(&(struct child){.argv = argv, .output = -1, .error = -1}, err);
    for (size_t i = 0; argv[i] != NULL && !start; i++) {
        if (strpbrk(argv[i], " \t\n'\"\\$`&;()<>|*?[#~!{") != NULL)
            submit_quote(stdout, argv[i]);
        else
            fputs(argv[i], stdout);
        putchar(argv[i + 1] != NULL ? ' ' : '\n');
    }
    free(script);
    free(number);
    free(tool);
    return st;
}

static enum status submit_jobs(const struct manifest *m, const struct submit_arguments *o, const struct job **left,
                               size_t count, struct errmsg *err)
{
    const bool is_slurm = o->engine == SUBMIT_SLURM;
    const uint64_t jobs = o->jobs != 0 ? o->jobs : is_slurm ? SLURM_AT_ONCE : 1;
    const size_t least = is_slurm ? (count + SLURM_TASKS - 1) / SLURM_TASKS : 1;
    const size_t batch = o->batch != 0 ? o->batch : least;
    enum status st = ST_OK;
    if (o->engine != SUBMIT_LOCAL)
        st = submit_write_batches(m, left, count, batch, err);
    if (st == ST_OK && o->engine != SUBMIT_LOCAL)
        st = submit_write_script(m, o->engine, (count + batch - 1) / batch, jobs, err);
    return st == ST_OK ? submit_start(m, o->engine, jobs, o->start, err) : st;
}

static enum status submit_command(const struct submit_arguments *o, struct errmsg *err)
{
    struct manifest m;
    enum status st = manifest_load(o->folder, &m, err);
    if (st == ST_OK) {
        size_t count;
        const struct job **left = submit_find_left(&m, &count);
        if (count == 0)
            printf("%s: all jobs are done\n", m.folder);
        else
            st = submit_jobs(&m, o, left, count, err);
        free(left);
    }
    manifest_release(&m);
    return st;
}

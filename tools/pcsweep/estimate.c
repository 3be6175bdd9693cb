/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcsweep estimate: cycles of a long run from as many simulated units as a precision needs. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/outfile.h"
#include "base/shell_word.h"
#include "tools/command/command_options.h"
#include "tools/command/output.h"
#include "tools/pcsweep/estimate_work.h"
#include "tools/pcsweep/pcsweep.h"
#include "tools/pcsweep/region_report.h"
#include "tools/pcsweep/region_work.h"
#include "tools/pcsweep/unit_report.h"

static const char doc[] =
    "Estimates the cycles of a long run with a 95 % confidence interval: a functional run of pcemu writes basic-block "
    "vectors, their clusters are strata, and units that are drawn from these are simulated from warmed checkpoints, "
    "until the "
    "interval is narrow enough."
    "\vPCEMU-WORD... are the options of pcemu, the program and its arguments. The program's standard output is "
    "discarded.";
static const char examples[] = "pcsweep estimate -- bench.elf\n"
                               "pcsweep estimate --precision 10 -o estimate -- --config ev6 bench.elf\n";

#define TOOL pcsweep
#define NAME estimate
#define OPTIONS "tools/pcsweep/estimate_options.def"
#define ARGUMENTS "-- PCEMU-WORD..."
#define CHECK estimate_check
#define EXIT_STATUS "0, 1 if --max-units do not reach the precision, or 2 for bad usage or input."
#include "tools/command/command.inc"

static enum status check_collect(const char *collect, struct errmsg *err)
{
    struct store_selection to;
    enum status st = store_select(&to, collect, err);
    if (st == ST_OK && to.ranges > 0)
        st = fail(err, ST_INPUT, "--collect %s: expected STORE:EPOCH, where the epoch's name begins with a letter",
                  collect);
    store_selection_release(&to);
    return st;
}

static enum status estimate_check(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    const struct estimate_arguments *o = options;
    if (o->words == NULL)
        return fail(err, ST_INPUT, "expected a program behind --, with the options of pcemu before it");
    if (o->collect != NULL && o->profilers == NULL)
        return fail(err, ST_INPUT, "--collect: expected --profile, which names what to estimate");
    if (o->units > o->most_units)
        return fail(err, ST_INPUT, "--units %lu: expected no more than --max-units, which is %lu",
                    (unsigned long)o->units, (unsigned long)o->most_units);
    const enum status st = o->collect != NULL ? check_collect(o->collect, err) : ST_OK;
    return st == ST_OK ? option_check_files(syntax, options, err) : st;
}

static enum status save_plan(const char *path, const struct region_plan *p, struct errmsg *err)
{
    struct outfile f;
    enum status st = outfile_open(&f, path, err);
    if (st != ST_OK)
        return st;
    region_plan_write(p, f.stream);
    return outfile_commit(&f, err);
}

/* The first units, from the vectors. */
static enum status make_plan(const struct estimate_arguments *o, struct estimate_work *w, struct region_plan *p,
                             struct errmsg *err)
{
    struct region_vectors v;
    enum status st = estimate_work_vectors(w, err);
    char *path = estimate_work_path(w, "vectors.bb");
    if (st == ST_OK)
        st = region_load_vectors(&v, path, 0, o->seed, err);
    free(path);
    if (st != ST_OK)
        return st;
    struct region_clusters c = region_cluster_choose(&v, region_most_clusters(o->max_k, false, v.count), REGION_STARTS,
                                                     o->seed);
    *p = region_plan_strata(&v, &c, o->seed);
    region_plan_choose(p, NULL, o->units, REGION_LEAST_OF_STRATUM);
    region_clusters_release(&c);
    region_vectors_release(&v);
    return ST_OK;
}

static enum status open_plan(const struct estimate_arguments *o, struct estimate_work *w, const char *path,
                             struct region_plan *p, struct errmsg *err)
{
    if (access(path, F_OK) == 0)
        return region_load_plan(p, path, err);
    enum status st = make_plan(o, w, p, err);
    return st == ST_OK ? save_plan(path, p, err) : st;
}

/* ---- the report ---- */

static void estimate_add_work(struct report *r, const struct estimate_work *w, const struct region_plan *p)
{
    uint64_t detailed = 0, warmed = 0;
    for (size_t k = 0; k < p->strata; k++)
        for (size_t i = 0; i < p->stratum[k].chosen; i++) {
            detailed += p->stratum[k].candidate[i].insns + w->warmup;
            warmed += estimate_work_warming(w, p->stratum[k].candidate[i].first);
        }
    report_count(r, "detailed_instructions", "simulated in detail", detailed, "instructions");
    report_share(r, "detailed_share", "  of the run", (double)detailed / (double)p->insns, 3);
    report_count(r, "warmed_instructions", "warmed", warmed, "instructions");
}

static void estimate_add_cycles(struct report *r, const struct region_plan *p, const struct region_estimate *e)
{
    const double insns = (double)p->insns;
    report_real(r, "cycles", "cycles", e->value * insns, 0, "cycles");
    if (e->has_interval)
        report_interval(r, (e->value - e->half) * insns, (e->value + e->half) * insns);
}

/* The words from `from` on as a shell takes them, behind `text`; the caller frees the text. */
static char *estimate_command_line(const char *text, char *const *words)
{
    char *line = NULL;
    size_t size_bytes;
    FILE *out = xopen_text(&line, &size_bytes);
    fputs(text, out);
    for (size_t n = 0; words[n] != NULL; n++) {
        if (n > 0 || *text != '\0')
            fputc(' ', out);
        shell_word_print(words[n], out);
    }
    xclose_text(out);
    return line;
}

/* Adds the estimated run to a store, with the command of the whole run. */
static enum status collect_estimate(const struct estimate_arguments *o, const struct region_plan *p,
                                    const struct region_estimate *e, struct unit_profile *u, const struct report *r,
                                    struct errmsg *err)
{
    char *const profile[] = {(char *)o->profilers, NULL};
    char *options = estimate_command_line("pcemu --no-program --profile", profile),
         *command = estimate_command_line(options, o->words),
         *guest = estimate_command_line("", o->words + command_options_count(o->words));
    const struct unit_collect c = {.to = o->collect,
                                   .command = command,
                                   .guest = guest,
                                   .seed = o->seed,
                                   .instructions = p->insns,
                                   .cycles = e->value * (double)p->insns,
                                   .report = r};
    const enum status st = unit_profile_collect(u, &c, err);
    free(options);
    free(command);
    free(guest);
    return st;
}

static enum status print_estimate(const struct estimate_arguments *o, const struct estimate_work *w,
                                  const struct region_plan *p, const struct region_samples *s,
                                  const struct region_outlook *outlook, struct errmsg *err)
{
    const struct command_output out = {.output = "-",
                                       .form = o->format,
                                       .no_pager = true,
                                       .view = {.top = (unsigned)o->top, .width = REPORT_WIDTH_OF_OUTPUT}};
    struct unit_profile profile = {0};
    struct report *r = report_new();
    enum status st = w->store != NULL ? unit_profile_load(&profile, w->store, p, err) : ST_OK;
    if (st == ST_OK) {
        estimate_add_cycles(r, p, &outlook->estimate);
        region_report_outlook(r, p, s, outlook, "cpi", "cycles per instruction");
        estimate_add_work(r, w, p);
        if (w->store != NULL)
            unit_report(r, &profile);
        st = command_write(&out, r, err);
    }
    if (st == ST_OK && o->collect != NULL)
        st = collect_estimate(o, p, &outlook->estimate, &profile, r, err);
    report_free(r);
    unit_profile_release(&profile);
    return st;
}

/* ---- rounds ---- */

/* Chooses more units, but no more than are allowed. False: no more can be chosen. */
static bool choose_more(const struct estimate_arguments *o, struct region_outlook *outlook, struct region_plan *p)
{
    const size_t before = region_plan_chosen(p);
    if (before >= o->most_units)
        return false;
    if (outlook->more > o->most_units - before)
        outlook->more = o->most_units - before;
    region_outlook_choose(outlook, p);
    return region_plan_chosen(p) > before;
}

/* Simulates the chosen units; *done: they reach the precision, or all that is allowed is done. */
static enum status run_round(const struct estimate_arguments *o, struct estimate_work *w, struct region_plan *p,
                             bool *done, struct errmsg *err)
{
    struct region_samples samples;
    double precision = 0;
    (void)region_read_percent(o->precision, &precision);
    enum status st = estimate_work_units(w, p, err);
    if (st == ST_OK)
        st = region_samples_of(&samples, p, &w->results, "results", err);
    if (st != ST_OK)
        return st;
    struct region_outlook outlook = region_outlook_of(p, &samples, precision);
    const bool reached = outlook.more == 0;
    *done = reached || !choose_more(o, &outlook, p);
    if (*done)
        st = print_estimate(o, w, p, &samples, &outlook, err);
    if (st == ST_OK && *done && !reached)
        st = fail(err, ST_UNMET, "%zu units do not reach +- %s %%: expected a higher --max-units",
                  region_plan_chosen(p), o->precision);
    region_outlook_release(&outlook);
    region_samples_release(&samples);
    return st;
}

static enum status run_rounds(const struct estimate_arguments *o, struct estimate_work *w, struct errmsg *err)
{
    struct region_plan p;
    char *path = estimate_work_path(w, "regions");
    bool done = false;
    enum status st = open_plan(o, w, path, &p, err);
    const bool is_open = st == ST_OK;
    while (st == ST_OK && !done) {
        st = run_round(o, w, &p, &done, err);
        if (st == ST_OK && !done)
            st = save_plan(path, &p, err);
    }
    if (is_open)
        region_plan_release(&p);
    free(path);
    return st;
}

static enum status estimate_command(const struct estimate_arguments *o, struct errmsg *err)
{
    struct estimate_work w = {.words = o->words,
                              .input = o->input,
                              .profilers = o->profilers,
                              .questions = o->questions,
                              .unit = o->unit,
                              .warmup = o->warmup,
                              .seed = o->seed,
                              .first_units = o->units,
                              .most_strata = o->max_k,
                              .jobs = (unsigned)o->jobs};
    enum status st = estimate_work_open(&w, o->folder, err);
    if (st == ST_OK)
        st = run_rounds(o, &w, err);
    estimate_work_close(&w);
    return st;
}

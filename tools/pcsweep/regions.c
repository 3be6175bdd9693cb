/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcsweep regions: which parts of a run are simulated, and what their results say of the whole run. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/options.h"
#include "base/outfile.h"
#include "tools/command/output.h"
#include "tools/pcsweep/pcsweep.h"
#include "tools/pcsweep/region_report.h"
#include "tools/pcsweep/region_work.h"

static const char doc[] =
    "Chooses the units of a long run that are simulated in detail, from the basic-block vectors of pcemu --bbv; with "
    "--results estimates the whole run from their results."
    "\vUnits that execute the same code, by clusters of their vectors, are a stratum. Units are drawn at random from "
    "each stratum, so the estimate has a 95 % confidence interval. --simpoint takes one unit of each cluster.";
static const char examples[] = "pcsweep regions bench.bb -o bench.regions --places bench.places\n"
                               "pcsweep regions --results bench.cpi --precision 3 bench.regions\n";

#define TOOL pcsweep
#define NAME regions
#define OPTIONS "tools/pcsweep/regions_options.def"
#define ARGUMENTS "INPUT"
#define CHECK regions_check
#include "tools/command/command.inc"

static enum status regions_check(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    const struct regions_arguments *o = options;
    const char *needs_points = o->points != NULL ? "--simpoints" : o->weights != NULL ? "--weights" : NULL;
    if (needs_points != NULL && (!o->simpoint || o->results != NULL))
        return fail(err, ST_INPUT, "%s requires --simpoint, which chooses them", needs_points);
    if (o->results == NULL && (o->precision != NULL || o->more))
        return fail(err, ST_INPUT, "%s requires --results FILE", o->more ? "--more" : "--precision");
    if (o->more && o->precision == NULL)
        return fail(err, ST_INPUT, "--more requires --precision PERCENT");
    if (o->results != NULL && !o->more && (o->output != NULL || o->places != NULL))
        return fail(err, ST_INPUT, "%s requires --more: the regions are those of the input",
                    o->output != NULL ? "-o" : "--places");
    if ((o->results == NULL || o->more) && o->output == NULL)
        return fail(err, ST_INPUT, "expected -o FILE, for the regions");
    return option_check_files(syntax, options, err);
}

static enum status print_report(const struct regions_arguments *o, struct report *r, struct errmsg *err)
{
    const struct command_output out = {
        .output = "-", .form = o->format, .no_pager = true, .view = {.width = REPORT_WIDTH_OF_OUTPUT}};
    const bool is_shown = o->output == NULL || !file_is_standard_output(o->output);
    return is_shown ? command_write(&out, r, err) : ST_OK;
}

/* Writes the regions file and the places. */
static enum status write_plan(const struct regions_arguments *o, const struct region_plan *p, struct errmsg *err)
{
    struct outfile f;
    enum status st = outfile_open(&f, o->output, err);
    if (st != ST_OK)
        return st;
    region_plan_write(p, f.stream);
    st = outfile_commit(&f, err);
    if (st != ST_OK || o->places == NULL)
        return st;
    st = outfile_open(&f, o->places, err);
    if (st != ST_OK)
        return st;
    region_write_places(p, o->warmup, f.stream);
    return outfile_commit(&f, err);
}

static enum status write_points(const char *path, void (*write)(const struct simpoints *s, FILE *out),
                                const struct simpoints *s, struct errmsg *err)
{
    struct outfile f;
    enum status st = path != NULL ? outfile_open(&f, path, err) : ST_OK;
    if (st != ST_OK || path == NULL)
        return st;
    write(s, f.stream);
    return outfile_commit(&f, err);
}

static enum status choose_points(const struct regions_arguments *o, const struct region_vectors *v,
                                 const struct region_clusters *c, struct region_plan *p, struct errmsg *err)
{
    struct simpoints s = simpoints_of(v, c);
    *p = region_plan_points(v, &s, c, o->seed);
    enum status st = write_points(o->points, simpoints_write_points, &s, err);
    if (st == ST_OK)
        st = write_points(o->weights, simpoints_write_weights, &s, err);
    simpoints_release(&s);
    return st;
}

static enum status choose(const struct regions_arguments *o, struct errmsg *err)
{
    struct region_vectors v;
    struct region_plan p;
    enum status st = region_load_vectors(&v, o->input, o->unit, o->seed, err);
    if (st != ST_OK)
        return st;
    struct region_clusters c = region_cluster_choose(&v, region_most_clusters(o->max_k, o->simpoint, v.count),
                                                     REGION_STARTS, o->seed);
    if (o->simpoint) {
        st = choose_points(o, &v, &c, &p, err);
    } else {
        p = region_plan_strata(&v, &c, o->seed);
        region_plan_choose(&p, NULL, o->units, REGION_LEAST_OF_STRATUM);
    }
    if (st == ST_OK)
        st = write_plan(o, &p, err);
    struct report *r = report_new();
    region_report_plan(r, &p);
    if (st == ST_OK)
        st = print_report(o, r, err);
    report_free(r);
    region_plan_release(&p);
    region_clusters_release(&c);
    region_vectors_release(&v);
    return st;
}

static enum status estimate(const struct regions_arguments *o, struct region_plan *p, const struct region_samples *s,
                            struct errmsg *err)
{
    double precision = 0;
    if (o->precision != NULL && !region_read_percent(o->precision, &precision))
        BUG("the options are not checked");
    struct region_outlook outlook = region_outlook_of(p, s, precision);
    struct report *r = report_new();
    region_report_outlook(r, p, s, &outlook, "estimate", "estimate");
    enum status st = print_report(o, r, err);
    if (st == ST_OK && o->more) {
        region_outlook_choose(&outlook, p);
        st = write_plan(o, p, err);
    }
    report_free(r);
    region_outlook_release(&outlook);
    return st;
}

static enum status regions_command(const struct regions_arguments *o, struct errmsg *err)
{
    struct region_plan p;
    struct region_results results;
    struct region_samples samples;
    if (o->results == NULL)
        return choose(o, err);
    enum status st = region_load_plan(&p, o->input, err);
    if (st != ST_OK)
        return st;
    st = region_load_results(&results, o->results, err);
    if (st == ST_OK) {
        st = region_samples_of(&samples, &p, &results, o->results, err);
        if (st == ST_OK) {
            st = estimate(o, &p, &samples, err);
            region_samples_release(&samples);
        }
        region_results_release(&results);
    }
    region_plan_release(&p);
    return st;
}

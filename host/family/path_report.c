/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/family/path_report.h"

#include <stdlib.h>

#include "base/status.h"
#include "host/family/path_score.h"
#include "host/family/time_columns.h"

static const char *const scheme_key[] = {
#define PATH_SCHEME(sym, key, title, meaning) key,
#include "host/family/path_scheme.def"
};
static const char *const scheme_title[] = {
#define PATH_SCHEME(sym, key, title, meaning) title,
#include "host/family/path_scheme.def"
};
static const char *const outcome_key[] = {
#define PATH_OUTCOME(sym, key, meaning) key,
#include "host/family/path_scheme.def"
};
static const char *const scope_name[] = {"intraprocedural", "interprocedural"};

static void path_sampler_columns(struct report_table *t, const struct path_profile *p, const struct path_score *score)
{
    const uint64_t ended = p->squashed + p->cut + p->thinned + p->samples;
    REPORT_COLUMN(t, TEXT, p->label, .member = "profiler", .title = "profiler");
    REPORT_COLUMN(t, COUNT, p->selected, .member = "selected", .title = "selected", .unit = "instructions");
    REPORT_COLUMN(t, COUNT, p->squashed, .member = "squashed", .title = "squashed", .unit = "instructions");
    REPORT_COLUMN(t, COUNT, p->selected - ended, .member = "in_flight", .title = "in flight", .unit = "instructions");
    REPORT_COLUMN(t, COUNT, p->cut, .member = "cut", .title = "cut", .unit = "samples");
    REPORT_COLUMN(t, COUNT, p->thinned, .member = "thinned", .title = "thinned", .unit = "samples");
    REPORT_COLUMN(t, COUNT, p->samples, .member = "samples", .title = "samples", .unit = "samples");
    REPORT_COLUMN(t, COUNT, score->blocks, .member = "blocks", .title = "blocks", .unit = "blocks");
    REPORT_COLUMN(t, COUNT, score->edges, .member = "edges", .title = "edges", .unit = "edges");
}

static void report_samplers(const struct path_result *in, const struct path_score *score, struct report *r)
{
    struct report_table *t = report_table(r, "samplers", NULL);
    report_whole(t);
    path_sampler_columns(t, in->profile, score);
    for (unsigned i = 0; i < in->profiles; i++) {
        report_row(t);
        path_sampler_columns(t, &in->profile[i], &score[i]);
    }
}

static void path_report_note_samples(const struct path_result *in, struct report *r)
{
    struct time_column *column = xcalloc(in->profiles, sizeof *column);
    for (unsigned i = 0; i < in->profiles; i++)
        column[i] = (struct time_column){.label = in->profile[i].label,
                                         .period_unit = "instructions",
                                         .period = in->profile[i].period,
                                         .samples = in->profile[i].samples};
    time_columns_note_samples(column, in->profiles, in->cycles, r);
    free(column);
}

/* A row: a kind of paths of a sampler, of a number of branches. */
struct path_report_row {
    const struct path_profile *profile;
    const struct path_score *score;
    enum path_scope scope;
    enum path_scheme scheme;
    unsigned length;
};

static void path_columns(struct report_table *t, const struct path_report_row *row)
{
    REPORT_COLUMN(t, TEXT, row->profile->label, .member = "profiler", .title = "profiler");
    REPORT_COLUMN(t, TEXT, scope_name[row->scope], .member = "scope", .title = "paths");
    REPORT_COLUMN(t, COUNT, row->length, .member = "length", .title = "branches", .unit = "branches");
}

static void success_columns(struct report_table *t, const struct path_report_row *row)
{
    path_columns(t, row);
    for (int s = 0; s < PATH_SCHEMES; s++)
        REPORT_COLUMN(
            t, SHARE, (double)row->score->count[row->scope][s][row->length][PATH_RIGHT] / (double)row->profile->samples,
            .group = "share", .member = scheme_key[s], .title = scheme_title[s], .decimals = 1, .absent = "-");
}

static void report_success(const struct path_result *in, const struct path_score *score, struct report *r)
{
    struct report_table *t = report_table(r, "success", "Paths found, in % of the samples");
    struct path_report_row row = {.profile = in->profile, .score = score};
    report_whole(t);
    success_columns(t, &row);
    for (unsigned i = 0; i < in->profiles; i++)
        for (row.scope = 0; row.scope < PATH_SCOPES; row.scope++)
            for (row.length = 1; row.length <= in->profile[i].length; row.length++) {
                row.profile = &in->profile[i];
                row.score = &score[i];
                report_row(t);
                success_columns(t, &row);
            }
}

static void outcome_columns(struct report_table *t, const struct path_report_row *row)
{
    path_columns(t, row);
    REPORT_COLUMN(t, TEXT, scheme_key[row->scheme], .member = "scheme", .title = "scheme");
    for (int o = 0; o < PATH_OUTCOMES; o++)
        REPORT_COLUMN(t, COUNT, row->score->count[row->scope][row->scheme][row->length][o], .member = outcome_key[o],
                      .title = outcome_key[o], .unit = "samples");
}

/* Reports the outcomes of each scheme for the longest paths, in samples. */
static void report_outcomes(const struct path_result *in, const struct path_score *score, struct report *r)
{
    struct report_table *t = report_table(r, "outcomes", "Outcomes at the largest length, in samples");
    struct path_report_row row = {.profile = in->profile, .score = score};
    report_whole(t);
    outcome_columns(t, &row);
    for (unsigned i = 0; i < in->profiles; i++)
        for (row.scope = 0; row.scope < PATH_SCOPES; row.scope++)
            for (row.scheme = 0; row.scheme < PATH_SCHEMES; row.scheme++) {
                row.profile = &in->profile[i];
                row.score = &score[i];
                row.length = in->profile[i].length;
                report_row(t);
                outcome_columns(t, &row);
            }
}

void path_report(const struct path_result *result, const struct symbols *symbols, struct report *r)
{
    struct path_score *score = xcalloc(result->profiles, sizeof *score);
    for (unsigned i = 0; i < result->profiles; i++) {
        struct code_graph *cfg = path_cfg(&result->profile[i], &result->code, symbols);
        path_score(&score[i], cfg, &result->profile[i]);
        code_graph_free(cfg);
    }
    struct report *section = report_section(r, "paths");
    report_note(section, "Reconstruction of paths");
    report_samplers(result, score, section);
    path_report_note_samples(result, section);
    report_success(result, score, section);
    report_outcomes(result, score, section);
    free(score);
}

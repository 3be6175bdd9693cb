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

static void report_samplers(const struct path_result *in, const struct path_score *score, struct report *r)
{
    static const struct report_column columns[] = {
        {.type = REPORT_TEXT, .member = "profiler", .title = "profiler"},
        {.type = REPORT_COUNT, .member = "selected", .title = "selected", .unit = "instructions"},
        {.type = REPORT_COUNT, .member = "squashed", .title = "squashed", .unit = "instructions"},
        {.type = REPORT_COUNT, .member = "in_flight", .title = "in flight", .unit = "instructions"},
        {.type = REPORT_COUNT, .member = "cut", .title = "cut", .unit = "samples"},
        {.type = REPORT_COUNT, .member = "thinned", .title = "thinned", .unit = "samples"},
        {.type = REPORT_COUNT, .member = "samples", .title = "samples", .unit = "samples"},
        {.type = REPORT_COUNT, .member = "blocks", .title = "blocks", .unit = "blocks"},
        {.type = REPORT_COUNT, .member = "edges", .title = "edges", .unit = "edges"},
    };
    struct report_table *t = report_table(r, "samplers", NULL);
    report_whole(t);
    report_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (unsigned i = 0; i < in->profiles; i++) {
        const struct path_profile *p = &in->profile[i];
        report_row(t);
        report_cell_text(t, p->label);
        report_cell_count(t, p->selected);
        report_cell_count(t, p->squashed);
        report_cell_count(t, p->selected - p->squashed - p->cut - p->thinned - p->samples);
        report_cell_count(t, p->cut);
        report_cell_count(t, p->thinned);
        report_cell_count(t, p->samples);
        report_cell_count(t, score[i].blocks);
        report_cell_count(t, score[i].edges);
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

static void path_report_declare_rows(struct report_table *t)
{
    static const struct report_column columns[] = {
        {.type = REPORT_TEXT, .member = "profiler", .title = "profiler"},
        {.type = REPORT_TEXT, .member = "scope", .title = "paths"},
        {.type = REPORT_COUNT, .member = "length", .title = "branches", .unit = "branches"},
    };
    report_whole(t);
    report_columns(t, columns, sizeof columns / sizeof columns[0]);
}

static void begin_row(struct report_table *t, const struct path_profile *p, int scope, unsigned length)
{
    report_row(t);
    report_cell_text(t, p->label);
    report_cell_text(t, scope_name[scope]);
    report_cell_count(t, length);
}

static void report_success(const struct path_result *in, const struct path_score *score, struct report *r)
{
    struct report_table *t = report_table(r, "success", "Paths found, in % of the samples");
    path_report_declare_rows(t);
    for (int s = 0; s < PATH_SCHEMES; s++)
        report_column(t, &(struct report_column){.type = REPORT_SHARE,
                                                 .group = "share",
                                                 .member = scheme_key[s],
                                                 .title = scheme_title[s],
                                                 .decimals = 1,
                                                 .absent = "-"});
    for (unsigned i = 0; i < in->profiles; i++)
        for (int scope = 0; scope < PATH_SCOPES; scope++)
            for (unsigned length = 1; length <= in->profile[i].length; length++) {
                begin_row(t, &in->profile[i], scope, length);
                for (int s = 0; s < PATH_SCHEMES; s++)
                    report_cell_share(t, (double)score[i].count[scope][s][length][PATH_RIGHT] /
                                             (double)in->profile[i].samples);
            }
}

/* Reports the outcomes of each scheme for the longest paths, in samples. */
static void report_outcomes(const struct path_result *in, const struct path_score *score, struct report *r)
{
    struct report_table *t = report_table(r, "outcomes", "Outcomes at the largest length, in samples");
    path_report_declare_rows(t);
    report_column(t, &(struct report_column){.type = REPORT_TEXT, .member = "scheme", .title = "scheme"});
    for (int o = 0; o < PATH_OUTCOMES; o++)
        report_column(t,
                      &(struct report_column){
                          .type = REPORT_COUNT, .member = outcome_key[o], .title = outcome_key[o], .unit = "samples"});
    for (unsigned i = 0; i < in->profiles; i++)
        for (int scope = 0; scope < PATH_SCOPES; scope++)
            for (int s = 0; s < PATH_SCHEMES; s++) {
                begin_row(t, &in->profile[i], scope, in->profile[i].length);
                report_cell_text(t, scheme_key[s]);
                for (int o = 0; o < PATH_OUTCOMES; o++)
                    report_cell_count(t, score[i].count[scope][s][in->profile[i].length][o]);
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

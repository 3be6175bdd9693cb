/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the files of pcprof report. The page is one HTML file: tools/pcprof/html/ with the data as
 * JSON in it.
 *
 * The data, whose members are short because there are many:
 *   store, epoch            text; epoch null: the selection names none
 *   runs[]                  rows of pcprof list, and `.detail` (page_runs.c)
 *   images[]                name, build_id, path
 *   files[]                 source files; others name them by number
 *   sources[]               by file, null: not on the disk: step[] from the line before, text[], newer
 *   columns[]               events: event, by, source, unit, sampled, estimate, exact, error, misplaced, lost
 *   components[]            names of the components of cycle stacks
 *   categories              by, exact: the profiler whose cycles the categories are
 *   procedures[]            by the first column: procedure, full (its full name, if `procedure` is a short one), image
 *                           (number, or -1), start, size, and
 *     .v[]                  values: column, estimate, exact (null: unknown), and so on
 *     .s[] .p[]             cycle stacks by category and by event signature: component, cycles, and so on
 *   hot                     waits[], lines[], instructions[]: page_hot.c
 *   gains                   estimated_by, and rows[], the largest first: page_gains.c
 *   flames[]                events with call stacks, cycles first: event, by, unit, runs, tree (number of its line)
 *   calls[]                 calls of an event: names[], and by pair of functions from[], to[], value[]
 *   comparison              with --before, else null (page_compare.c)
 *
 * The trees of call stacks are in an element of their own, compressed (page_pack.c): a line of JSON for each, callers
 * before their callees: names[], and by node depth[], name[], value[].
 *
 * The code is in another one: a line of JSON for each procedure
 *   first, step[], text[]   instructions: address of the first, distances, disassembly
 *   line[]                  rows since the last change, file or -1, line, and so on
 *   out[]                   row, number of instructions that are left out before it, and so on
 *   v[] s[] p[] i[]         by column or component: number, rows since the value before, values, exact values; of `i`,
 *                           intervals of 95 %, the widths below and above the estimate */
#ifndef TOOLS_PCPROF_PAGE_H
#define TOOLS_PCPROF_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "host/report/names.h"
#include "host/store/store.h"
#include "tools/pcprof/gain.h"
#include "tools/pcprof/input.h"
#include "tools/pcprof/prof.h"

/* Owner of a value. */
enum page_kind { PAGE_COLUMN, PAGE_CATEGORY, PAGE_SIGNATURE, PAGE_INTERVAL, PAGE_GAIN };

/* A value at an instruction. */
struct page_value {
    uint32_t image; /* PROF_UNKNOWN: no instruction of an image */
    uint64_t key;   /* start of the procedure; UINT64_MAX: code without a symbol */
    uint64_t address;
    enum page_kind kind;
    uint32_t which; /* column, component, or number of the gain */
    /* Of a column without exact answers: NAN; of a component: cycles, NAN; of an interval: the squares of its widths
     * below and above the estimate, which are added up over the runs; of a gain 0. */
    double estimate, exact;
};

/* A line of a source file, by the file's number on the page. */
struct page_line {
    uint32_t file, line;
};

/* An instruction on the page. */
struct page_place {
    int64_t procedure; /* number on the page */
    int64_t image;     /* -1: none */
    uint64_t address;
    int64_t file, line; /* file -1: unknown */
    const char *text;   /* of the code that is described, which lives as long as the page's data */
};

struct page {
    struct names *names;  /* of the functions that the page shows */
    const char *no_place; /* name of the values that belong to no image */
    struct profile *profile;
    const char *source_dir; /* as of pcprof annotate; NULL: none */
    bool without_source;
    bool has_all_reports; /* of all runs, so intervals are those of the sums */
    int64_t collected;    /* end of the first run, in seconds since 1970 */
    struct prof_column *column;
    size_t columns;
    struct page_value *value;
    size_t values, room;
    json_t *components;   /* names */
    json_t *component_of; /* numbers by name */
    json_t *categories;   /* by, exact: see above; NULL: no run has categories */
    json_t *files;
    int64_t *file; /* by the profile's number: number in `files`, plus 1; 0: not used yet */
    size_t profile_files;
    struct page_line *want; /* lines with values */
    size_t wanted, want_room;
    struct page_hot *hot;
    struct pcprof_gains gains;
    struct page_place *gain_place; /* by number of the gain; NULL: page_gains_add has not been called */
};

/* report.c: writes the page of a request. */
struct page_request {
    const char *input, *before;      /* selections; before NULL: none */
    const char *pipeline;            /* a pipeline log; NULL: none */
    const char *source_dir, *output; /* source_dir NULL: none */
    bool no_source;
    const char *version; /* entity tag of a page that pcprof serve answers with; NULL: a page in a file */
};
enum status page_report(const struct page_request *q, struct errmsg *err) MUST_USE;

/* page_columns.c: chooses the columns: events with samples, and exact events that are no other column's answer, but no
 * gains, which do not add up; returns their description, and adds their values. page_columns_find: the column of an
 * event of a profiler, or SIZE_MAX. */
void page_columns_choose(struct page *p);
json_t *page_columns(struct page *p);
size_t page_columns_find(const struct page *p, const char *event, const char *by);
void page_add(struct page *p, const struct page_value *v);

/* page_code.c: procedures, and their code, from the values, which it sorts. */
json_t *page_procedures(struct page *p, json_t *code);

/* page_hot.c: adds a value of an instruction to what the overview shows; the hottest ones, once. */
void page_hot_add(struct page *p, const struct page_place *place, const struct page_value *v);
json_t *page_hot(struct page *p);

/* page_gains.c: adds the instructions of the gains to the values; the place of a gain; the gains. */
void page_gains_add(struct page *p);
void page_gains_place(struct page *p, uint32_t gain, const struct page_place *place);
json_t *page_gains(struct page *p);

/* page_sources.c: the number of a source file on the page; asks for the text of a line; the texts. */
int64_t page_sources_number(struct page *p, uint32_t file);
void page_sources_want(struct page *p, uint32_t file, uint32_t line);
json_t *page_sources(struct page *p);

/* page_flames.c, page_calls.c; the number of a function in a list of names, which has it as `shown` shows it. */
json_t *page_flames(const struct profile *p, struct names *shown, json_t *trees);
json_t *page_calls(const struct page *p);
json_int_t page_name_number(json_t *names, json_t *number_of, struct names *shown, const char *name);

/* page_runs.c: the selected runs. The first PAGE_RUNS have details, from their reports and statistics, whose cycle
 * stacks and intervals are added to the values. */
enum { PAGE_RUNS = 32 };
enum status page_runs(struct page *p, const struct profile_store *s, const struct store_contents *c, json_t **runs,
                      struct errmsg *err) MUST_USE;

/* page_compare.c: what changed since the runs before. On an error the comparison may be set, too. */
enum status page_compare(const struct page *p, const struct pcprof_input *before, const struct pcprof_input *after,
                         json_t *trees, json_t **comparison, struct errmsg *err) MUST_USE;

/* page_pipeline.c: adds the pipeline log of a file as a line. */
enum status page_pipeline(const struct page *p, const char *file, json_t *lines, struct errmsg *err) MUST_USE;

/* page_pack.c: writes a text as base64 of gzip. */
enum status page_pack(const char *text, size_t size_bytes, FILE *out, struct errmsg *err) MUST_USE;

/* page_write.c: writes the page, of its data and of lists of lines. Errors of the stream are left to its error flag. */
struct page_json {
    json_t *data, *trees, *code, *pipeline;
    const char *version; /* as of the request */
};
enum status page_write(const struct page_json *json, FILE *out, struct errmsg *err) MUST_USE;

/* Writes the beginning of a page, with its style, policy, and title, "TEXT - WHAT". Of a page that is served: its
 * entity tag, and the seconds until it is loaded again when it has changed. version NULL: another page. */
void page_write_head(FILE *out, const char *policy, const char *version, unsigned wait, const char *text,
                     const char *what);
/* Writes a text of HTML, also in attributes. */
void page_write_text(FILE *out, const char *text);
/* The Content-Security-Policy of the page; of one that is served (is_live), it may ask the server for changes. The
 * caller frees it. */
char *page_policy(bool is_live);
/* Writes the script of a page that is served. */
void page_write_live(FILE *out);

/* The files of tools/pcprof/html/ and the hashes of scripts and style in them, as the policy of the page names them;
 * generated. */
#define PAGE_PART(name)                \
    extern const unsigned char name[]; \
    extern const size_t name##_bytes;  \
    extern const char name##_hash[];
PAGE_PART(page_css)
PAGE_PART(page_js)
PAGE_PART(live_js)

#endif

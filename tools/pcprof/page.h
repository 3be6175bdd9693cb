/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the files of pcprof report. The page is one HTML file: tools/pcprof/html/ with the data as
 * JSON in it.
 *
 * The data, whose members are short because there are many:
 *   store, epoch            text; epoch null: the selection names none
 *   runs[]                  rows of pcprof list, and `.detail` (page_runs.c)
 *   images[]                name, build_id, path
 *   files[]                 source files; rows name them by number
 *   columns[]               events: event, by, source, unit, sampled, estimate, exact, error, misplaced, lost
 *   components[]            names of the components of cycle stacks
 *   procedures[]            by the first column: procedure, full (its name in full, if `procedure` is a short one),
 * image (number, or -1), start, size, and .v[]                  values: column, estimate, exact (null: unknown), and so
 * on .s[] .p[]             cycle stacks by category and by event signature: component, cycles, and so on .code[]
 * instructions: [address, text, file, line, v, s, p]; a number: instructions left out flames[]                call
 * stacks of an event: column, names[], full[] (of a short name the full one, else null), and for each node parent[],
 * name[], value[] */
#ifndef TOOLS_PCPROF_PAGE_H
#define TOOLS_PCPROF_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include "host/report/names.h"
#include "host/store/store.h"
#include "tools/pcprof/prof.h"

/* Owner of a value. */
enum page_kind { PAGE_COLUMN, PAGE_CATEGORY, PAGE_SIGNATURE };

/* A value at an instruction. */
struct page_value {
    uint32_t image; /* PROF_UNKNOWN: no instruction of an image */
    uint64_t key;   /* start of the procedure; UINT64_MAX: code without a symbol */
    uint64_t address;
    enum page_kind kind;
    uint32_t which;         /* column, or component */
    double estimate, exact; /* of a column without exact answers: NAN; of a component: cycles, NAN */
};

struct page {
    struct names *names;  /* of the functions that the page shows */
    const char *no_place; /* name of the values that belong to no image */
    struct profile *profile;
    struct prof_column *column;
    size_t columns;
    struct page_value *value;
    size_t values, room;
    json_t *components;   /* names */
    json_t *component_of; /* numbers by name */
    json_t *files;
    int64_t *file; /* by the profile's number: number in `files`, plus 1; 0: not used yet */
    size_t profile_files;
};

/* page_columns.c: chooses the columns: events with samples, and exact events that are no other column's answer. Returns
 * their description, and adds their values. */
json_t *page_columns(struct page *p);
void page_add(struct page *p, const struct page_value *v);

/* page_code.c: procedures and their instructions, from the values, which it sorts. */
json_t *page_procedures(struct page *p);

/* page_flames.c */
json_t *page_flames(const struct page *p);

/* page_runs.c: the selected runs. The first PAGE_RUNS have details, from their reports and statistics, whose cycle
 * stacks are added to the values. */
enum { PAGE_RUNS = 32 };
enum status page_runs(struct page *p, const struct profile_store *s, const struct store_contents *c, json_t **runs,
                      struct errmsg *err) MUST_USE;

/* page_write.c: writes the page. False if the stream has an error. */
bool page_write(const json_t *data, FILE *out);

/* The files of tools/pcprof/html/ and the hashes of script and style in them, as the policy of the page names them;
 * generated. */
extern const unsigned char page_css[], page_js[];
extern const size_t page_css_bytes, page_js_bytes;
extern const char page_css_hash[], page_js_hash[];

#endif

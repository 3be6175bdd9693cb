/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables that the threads of a profile for the Firefox Profiler share: texts, functions, frames, stacks. Each table
 * is a list for each of its columns; rows are named by their numbers. */
#ifndef HOST_EXPORT_FIREFOX_TABLES_H
#define HOST_EXPORT_FIREFOX_TABLES_H

#include <jansson.h>

#include "contract/timeprof.h"
#include "host/export/frame.h"

/* A category of a frame: an enum time_category, or none. The profiler's number of a category is one more: category 0
 * stands for none. */
enum { FIREFOX_NO_CATEGORY = -1, FIREFOX_CATEGORIES = TIME_CATEGORY_COUNT + 1 };

struct firefox_table {
    json_t *columns;
    json_int_t rows;
    struct firefox_row *row_of; /* by what makes a row different from the others */
};

struct firefox_tables {
    const struct profile *p;
    struct names *names;
    json_t *libs;
    struct firefox_table strings, sources, resources, symbols, functions, frames, stacks;
    json_int_t *resource; /* by image: number, plus 1; 0: none yet */
    uint32_t *caller;     /* by frame of the profile: its stack as a caller's, number plus 1; 0: none yet */
    uint32_t *leaf[2 * FIREFOX_CATEGORIES]; /* as an innermost frame's, by category; then those that are functions */
};

/* The caller calls firefox_tables_end. */
void firefox_tables_begin(struct firefox_tables *t, const struct profile *p, bool full_names);
void firefox_tables_end(struct firefox_tables *t);

/* The number of the stack whose innermost frame is a frame of the profile, 0: the stack without frames. The innermost
 * frame has the category. */
json_int_t firefox_tables_stack(struct firefox_tables *t, uint32_t frame, bool by_function, int category);

/* The member `shared` of the profile, and its libraries; new references. */
json_t *firefox_tables_shared(const struct firefox_tables *t);
json_t *firefox_tables_libs(const struct firefox_tables *t);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lcov's tracefiles: executions of source lines, functions and branches, by source file. The counts are those of
 * instructions, so a program that was not instrumented has them. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "contract/countprof.h"
#include "host/export/insns.h"
#include "host/export/place.h"
#include "host/export/select.h"

/* A part of a source line: its instructions in one function or inlined call. */
struct lcov_line {
    const char *file;
    uint32_t line, image;
    uint64_t instance; /* start of the function, or number of the inlined call */
    uint64_t count;    /* the largest of its instructions */
};

struct lcov_function {
    const char *file;
    uint32_t line;
    char *name;
    uint64_t count;
};

/* A conditional branch. */
struct lcov_branch {
    const char *file;
    uint32_t line, image;
    uint64_t address, executed, taken;
};

struct lcov {
    const struct profile *p;
    uint32_t retired, taken; /* events; taken PROFILE_NO_EVENT: the profile has no counts of branches */
    struct names *names;
    struct lcov_line *line;
    struct lcov_function *function;
    struct lcov_branch *branch;
    size_t lines, functions, branches;
};

ORDER(lcov_compare_lines, struct lcov_line, ALPHABETIC(file) RISING(line) RISING(image) RISING(instance))
ORDER(lcov_compare_functions, struct lcov_function, ALPHABETIC(file) RISING(line) ALPHABETIC(name))
ORDER(lcov_compare_branches, struct lcov_branch, ALPHABETIC(file) RISING(line) RISING(image) RISING(address))

static uint64_t lcov_count(const struct lcov *l, uint32_t event, uint32_t image, uint64_t address)
{
    return export_number(l->p, event, profile_value(l->p, event, image, address));
}

/* ---- lines ---- */

/* The largest count of the instructions from `start` up to `end`. */
static uint64_t lcov_largest(const struct lcov *l, uint32_t image, uint64_t start, uint64_t end)
{
    uint64_t most = 0;
    for (uint64_t a = profile_next_address(l->p, l->retired, image, start, end); a < end;
         a = profile_next_address(l->p, l->retired, image, a + 1, end)) {
        const uint64_t count = lcov_count(l, l->retired, image, a);
        most = count > most ? count : most;
    }
    return most;
}

/* Adds the code of a row of the line table, up to `end`; that of no function is not in the program. */
static void lcov_add_line(struct lcov *l, uint32_t image, const struct profile_line *row, uint64_t end)
{
    const struct profile_image *i = profile_image(l->p, image);
    const struct profile_symbol *symbol = profile_find_symbol(i, row->start);
    const struct profile_scope *scope = profile_find_scope(i, row->start);
    if (symbol == NULL || row->file == PROFILE_NO_FILE || row->line == 0)
        return;
    const bool is_inlined = scope != NULL && scope->caller != PROFILE_NO_SCOPE;
    l->line = xgrow(l->line, l->lines, sizeof *l->line);
    l->line[l->lines++] = (struct lcov_line){.file = profile_file(l->p, row->file),
                                             .line = row->line,
                                             .image = image,
                                             .instance = is_inlined ? (uint64_t)(scope - i->scope) : symbol->start,
                                             .count = lcov_largest(l, image, row->start, end)};
}

static void lcov_add_lines(struct lcov *l, uint32_t image)
{
    const struct profile_image *i = profile_image(l->p, image);
    for (size_t n = 0; n < i->lines; n++)
        lcov_add_line(l, image, &i->line[n], n + 1 < i->lines ? i->line[n + 1].start : i->line[n].start + 1);
}

/* Sorts the parts of lines, and joins them: the largest of a function or inlined call, the sum of these. */
static void lcov_join_lines(struct lcov *l)
{
    size_t kept = 0;
    uint64_t largest = 0; /* of the part of the last line that is joined */
    if (l->lines > 0)
        qsort(l->line, l->lines, sizeof *l->line, lcov_compare_lines);
    for (size_t n = 0; n < l->lines; n++) {
        const struct lcov_line *x = &l->line[n];
        struct lcov_line *last = kept > 0 ? &l->line[kept - 1] : NULL;
        if (last == NULL || strcmp(last->file, x->file) != 0 || last->line != x->line) {
            largest = x->count;
            l->line[kept++] = *x;
            continue;
        }
        if (last->image != x->image || last->instance != x->instance)
            largest = 0;
        last->count += x->count > largest ? x->count - largest : 0;
        largest = x->count > largest ? x->count : largest;
        last->image = x->image;
        last->instance = x->instance;
    }
    l->lines = kept;
}

/* ---- functions ---- */

static void lcov_add_function(struct lcov *l, uint32_t image, const struct profile_symbol *symbol)
{
    const struct export_place place = export_function_place(l->p, image, symbol->start);
    const char *file = place.declared != NULL ? place.declared : place.file;
    const uint32_t line = place.declared != NULL && place.first_line != 0 ? place.first_line : place.line;
    if (file == NULL || line == 0)
        return;
    l->function = xgrow(l->function, l->functions, sizeof *l->function);
    l->function[l->functions++] = (struct lcov_function){.file = file,
                                                         .line = line,
                                                         .name = names_show(l->names, place.shown),
                                                         .count = lcov_count(l, l->retired, image, symbol->start)};
}

/* Sorts the functions, and joins those of one name in a file. */
static void lcov_join_functions(struct lcov *l)
{
    size_t kept = 0;
    if (l->functions > 0)
        qsort(l->function, l->functions, sizeof *l->function, lcov_compare_functions);
    for (size_t n = 0; n < l->functions; n++) {
        struct lcov_function *last = kept > 0 ? &l->function[kept - 1] : NULL;
        if (last != NULL && lcov_compare_functions(last, &l->function[n]) == 0) {
            last->count += l->function[n].count;
            free(l->function[n].name);
        } else {
            l->function[kept++] = l->function[n];
        }
    }
    l->functions = kept;
}

/* ---- branches ---- */

static void lcov_add_branch(struct lcov *l, uint32_t image, uint64_t address)
{
    const struct profile_line *at = profile_find_line(profile_image(l->p, image), address);
    if (at == NULL || at->file == PROFILE_NO_FILE || at->line == 0)
        return;
    l->branch = xgrow(l->branch, l->branches, sizeof *l->branch);
    l->branch[l->branches++] = (struct lcov_branch){.file = profile_file(l->p, at->file),
                                                    .line = at->line,
                                                    .image = image,
                                                    .address = address,
                                                    .executed = lcov_count(l, l->retired, image, address),
                                                    .taken = lcov_count(l, l->taken, image, address)};
}

/* Adds the branches of a function, whose instructions follow each other. */
static void lcov_add_branches(struct lcov *l, uint32_t image, const struct profile_code *code,
                              const struct profile_symbol *symbol)
{
    struct export_insn at = {0};
    while (export_insns_next(&at, code, symbol))
        if (export_insns_is_branch(&at))
            lcov_add_branch(l, image, at.address);
}

static void lcov_add_functions(struct lcov *l, uint32_t image)
{
    const struct profile_image *i = profile_image(l->p, image);
    for (size_t s = 0; i->lines > 0 && s < i->symbols; s++) {
        lcov_add_function(l, image, &i->symbol[s]);
        for (size_t c = 0; l->taken != PROFILE_NO_EVENT && c < i->codes; c++)
            lcov_add_branches(l, image, &i->code[c], &i->symbol[s]);
    }
}

/* ---- the file ---- */

static void lcov_write_functions(const struct lcov *l, const char *file, size_t *at, FILE *out)
{
    const size_t first = *at;
    size_t hit = 0;
    for (; *at < l->functions && strcmp(l->function[*at].file, file) == 0; ++*at) {
        fprintf(out, "FN:%" PRIu32 ",%s\n", l->function[*at].line, l->function[*at].name);
        hit += l->function[*at].count > 0;
    }
    for (size_t n = first; n < *at; n++)
        fprintf(out, "FNDA:%" PRIu64 ",%s\n", l->function[n].count, l->function[n].name);
    fprintf(out, "FNF:%zu\nFNH:%zu\n", *at - first, hit);
}

/* Writes the branches of a file; those of a line have numbers from 0, and two directions. */
static void lcov_write_branches(const struct lcov *l, const char *file, size_t *at, FILE *out)
{
    size_t found = 0, hit = 0, number = 0;
    for (; *at < l->branches && strcmp(l->branch[*at].file, file) == 0; ++*at) {
        const struct lcov_branch *b = &l->branch[*at];
        const uint64_t way[2] = {b->taken, b->executed > b->taken ? b->executed - b->taken : 0};
        number = found > 0 && b[-1].line == b->line ? number + 1 : 0;
        for (unsigned n = 0; n < 2; n++, found++) {
            fprintf(out, "BRDA:%" PRIu32 ",%zu,%u,", b->line, number, n);
            if (b->executed == 0)
                fputs("-\n", out);
            else
                fprintf(out, "%" PRIu64 "\n", way[n]);
            hit += way[n] > 0;
        }
    }
    if (found > 0)
        fprintf(out, "BRF:%zu\nBRH:%zu\n", found, hit);
}

/* Writes the records of the files, which are those with lines; functions and branches are on lines. */
static void lcov_write(const struct lcov *l, FILE *out)
{
    size_t line = 0, function = 0, branch = 0;
    while (line < l->lines) {
        const char *file = l->line[line].file;
        const size_t first = line;
        size_t hit = 0;
        fprintf(out, "TN:\nSF:%s\n", file);
        while (function < l->functions && strcmp(l->function[function].file, file) < 0)
            function++;
        lcov_write_functions(l, file, &function, out);
        lcov_write_branches(l, file, &branch, out);
        for (; line < l->lines && strcmp(l->line[line].file, file) == 0; line++) {
            fprintf(out, "DA:%" PRIu32 ",%" PRIu64 "\n", l->line[line].line, l->line[line].count);
            hit += l->line[line].count > 0;
        }
        fprintf(out, "LF:%zu\nLH:%zu\nend_of_record\n", line - first, hit);
    }
}

/* Chooses the counts: exact ones, which have all executions, by the event of that name. */
static enum status lcov_choose(struct lcov *l, const struct export_options *o, struct errmsg *err)
{
    if (o->events > 0)
        return fail(err, ST_INPUT,
                    "--event: the format has the numbers of executions, of pcemu --profile counts, alone");
    l->retired = profile_find_event(l->p, count_name(COUNT_RETIRED), PROFILE_EXACT);
    l->taken = profile_find_event(l->p, count_name(COUNT_TAKEN), PROFILE_EXACT);
    if (l->retired != PROFILE_NO_EVENT)
        return ST_OK;
    return fail(err, ST_INPUT,
                "the profile has no exact numbers of executions: collect them with pcemu --profile counts");
}

enum status export_write_lcov(const struct profile *p, const struct export_options *o, FILE *out, struct errmsg *err)
{
    struct lcov l = {.p = p};
    enum status st = lcov_choose(&l, o, err);
    if (st != ST_OK)
        return st;
    l.names = export_names(p, o->full_names);
    for (uint32_t image = 0; image < profile_images(p); image++) {
        lcov_add_lines(&l, image);
        lcov_add_functions(&l, image);
    }
    lcov_join_lines(&l);
    lcov_join_functions(&l);
    if (l.branches > 0)
        qsort(l.branch, l.branches, sizeof *l.branch, lcov_compare_branches);
    if (l.lines > 0)
        lcov_write(&l, out);
    else
        st = fail(err, ST_INPUT,
                  "no image of the profile has source lines: compile the program with -g, and collect its "
                  "profile again");
    for (size_t n = 0; n < l.functions; n++)
        free(l.function[n].name);
    names_free(l.names);
    free(l.line);
    free(l.function);
    free(l.branch);
    return st;
}

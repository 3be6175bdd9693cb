/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Consistency of the files that options name, by the roles given in their rows. */
#include "base/options.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"

static bool options_files_is_dash(const char *path) { return strcmp(path, "-") == 0; }

/* File i of an option; NULL after the last one. */
static const char *path_of(const struct option_row *row, const void *options, unsigned i)
{
    const void *member = (const char *)options + row->offset;
    if (row->kind == OPTION_LIST)
        return ((const struct option_list *)member)->text[i];
    if (i > 0)
        return NULL;
    if (row->path != NULL)
        return row->path(row, options);
    if (row->kind == OPTION_TEXT)
        return *(const char *const *)member;
    if (row->kind != OPTION_REST)
        BUG("the row of %s says nothing of its file", option_label(row).text);
    return *(char **const *)member != NULL ? (*(char **const *)member)[0] : NULL;
}

/* Standard input can be read once. */
static enum status check_standard_input(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    const struct option_row *first = NULL;
    for (const struct option_row *row = syntax->row; row < syntax->row + syntax->rows; row++) {
        const char *path;
        for (unsigned i = 0; row->standard_input != NULL && (path = path_of(row, options, i)) != NULL; i++) {
            if (!options_files_is_dash(path))
                continue;
            if (first != NULL)
                return fail(err, ST_INPUT, "%s %s and %s %s both read standard input", option_label(first).text,
                            first->standard_input, option_label(row).text, row->standard_input);
            first = row;
        }
    }
    return ST_OK;
}

/* Two outputs to one file. Outputs written at the end follow one another, so they can share standard output. An output
 * written during the run cannot share it. */
static enum status check_pair(const struct option_row *a, const struct option_row *b, const void *options,
                              struct errmsg *err)
{
    const char *path = path_of(a, options, 0), *other = path_of(b, options, 0);
    if (path == NULL || other == NULL)
        return ST_OK;
    bool is_standard = file_is_standard_output(path);
    if (is_standard != file_is_standard_output(other))
        return ST_OK;
    if (is_standard && (a->writes != OPTION_AT_END || b->writes != OPTION_AT_END))
        return fail(err, ST_INPUT, "%s and %s both write to standard output", option_label(a).text,
                    option_label(b).text);
    if (!is_standard && file_is_same(path, other))
        return fail(err, ST_INPUT, "%s and %s both write to %s", option_label(a).text, option_label(b).text, path);
    return ST_OK;
}

/* An unset variable of a script makes an empty name, which would be found when the run is over. */
static enum status options_files_check_name(const struct option_row *out, const void *options, struct errmsg *err)
{
    const char *path = out->writes != OPTION_NO_OUTPUT ? path_of(out, options, 0) : NULL;
    if (path != NULL && path[0] == '\0')
        return fail(err, ST_INPUT, "%s: expected the name of a file, found ''", option_label(out).text);
    return ST_OK;
}

static enum status check_outputs(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    const struct option_row *end = syntax->row + syntax->rows;
    for (const struct option_row *out = syntax->row; out < end; out++)
        if (options_files_check_name(out, options, err) != ST_OK)
            return ST_INPUT;
    for (const struct option_row *a = syntax->row; a < end; a++)
        for (const struct option_row *b = a + 1; a->writes != OPTION_NO_OUTPUT && b < end; b++)
            if (b->writes != OPTION_NO_OUTPUT && check_pair(a, b, options, err) != ST_OK)
                return ST_INPUT;
    return ST_OK;
}

/* Returns whether an output of this name would overwrite an input of the row. */
static bool replaces_input(const char *path, const struct option_row *in, const void *options)
{
    const char *input;
    for (unsigned i = 0; (input = path_of(in, options, i)) != NULL; i++)
        if (!(in->standard_input != NULL && options_files_is_dash(input)) && access(input, F_OK) == 0 &&
            file_is_same(path, input))
            return true;
    return false;
}

/* Checks that the output does not overwrite an input of the row. */
static enum status check_input(const struct option_row *out, const struct option_row *in, const void *options,
                               struct errmsg *err)
{
    const char *path = path_of(out, options, 0);
    if (path == NULL || file_is_standard_output(path) || !replaces_input(path, in, options))
        return ST_OK;
    return fail(err, ST_INPUT, "%s %s would replace %s", option_label(out).text, path, in->reads);
}

static enum status check_inputs(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    const struct option_row *end = syntax->row + syntax->rows;
    for (const struct option_row *out = syntax->row; out < end; out++)
        for (const struct option_row *in = syntax->row; out->writes != OPTION_NO_OUTPUT && in < end; in++)
            if (in->reads != NULL && check_input(out, in, options, err) != ST_OK)
                return ST_INPUT;
    return ST_OK;
}

enum status option_check_files(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    enum status st = check_standard_input(syntax, options, err);
    if (st == ST_OK)
        st = check_outputs(syntax, options, err);
    if (st == ST_OK)
        st = check_inputs(syntax, options, err);
    return st;
}

enum status option_check_output(const struct option_syntax *syntax, const void *options, const char *command,
                                const char *path, struct errmsg *err)
{
    const char *output;
    if (file_is_standard_output(path))
        return ST_OK;
    for (const struct option_row *row = syntax->row; row < syntax->row + syntax->rows; row++) {
        if (row->reads != NULL && replaces_input(path, row, options))
            return fail(err, ST_INPUT, "%s %s would replace %s", command, path, row->reads);
        if (row->writes != OPTION_NO_OUTPUT && (output = path_of(row, options, 0)) != NULL &&
            !file_is_standard_output(output) && file_is_same(path, output))
            return fail(err, ST_INPUT, "%s and %s both write to %s", command, option_label(row).text, path);
    }
    return ST_OK;
}

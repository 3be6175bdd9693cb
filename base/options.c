/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines from tables: parsers of the option kinds, and libc's argp table built from the rows. */
#include "base/options.h"

#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/number.h"
#include "base/text.h"

/* Without a short name, the key of a row is the first of these plus the row's index, and the key of an option that
 * every tool has is the second plus its index. */
enum { FIRST_LONG_KEY = 512, FIRST_COMMON_KEY = FIRST_LONG_KEY - OPTIONS_COMMON, DESCRIBE_KEY = FIRST_COMMON_KEY - 1 };

static void *options_member_of(const struct option_row *row, void *options) { return (char *)options + row->offset; }

struct option_label option_label(const struct option_row *row)
{
    struct option_label label;
    if (row->short_name != 0)
        snprintf(label.text, sizeof label.text, "-%c", row->short_name);
    else
        snprintf(label.text, sizeof label.text, "%s%s", row->name != NULL ? "--" : "",
                 row->name != NULL ? row->name : row->argument);
    return label;
}

enum status option_refuse(const struct option_row *row, const char *expected, const char *argument, struct errmsg *err)
{
    if (row->complaint != NULL)
        return fail(err, ST_INPUT, "%s, found '%s'", row->complaint, argument);
    return fail(err, ST_INPUT, "%s: expected %s, found '%s'", option_label(row).text, expected, argument);
}

static enum status set_number(const struct option_row *row, uint64_t *member, const char *argument, struct errmsg *err)
{
    char expected[96] = "a number";
    uint64_t value;
    if (number_parse(argument, &value) == ST_OK && value >= row->least && value <= row->most) {
        *member = value;
        return ST_OK;
    }
    if (row->least > 0 && row->most < UINT64_MAX)
        snprintf(expected, sizeof expected, "a number from %" PRIu64 " to %" PRIu64, row->least, row->most);
    else if (row->least > 0)
        snprintf(expected, sizeof expected, "a number of at least %" PRIu64, row->least);
    else if (row->most < UINT64_MAX)
        snprintf(expected, sizeof expected, "a number of at most %" PRIu64, row->most);
    return option_refuse(row, expected, argument, err);
}

static enum status set_count(const struct option_row *row, uint64_t *member, const char *argument, struct errmsg *err)
{
    if (number_parse(argument, member) == ST_OK)
        return ST_OK;
    return option_refuse(row, "a number of instructions, or of thousands (k), millions (M) or billions (G) of them",
                         argument, err);
}

/* Joins the names with the separator `between`, and `last` before the last name. The caller frees the text. */
static char *join_names(const struct option_row *row, const char *between, const char *last)
{
    char *text = NULL;
    for (size_t i = row->choices; i-- > 0;) {
        if (row->choice[i] == NULL)
            continue;
        char *longer = text == NULL ? xstrdup(row->choice[i]) : xasprintf("%s%s%s", row->choice[i], last, text);
        last = text == NULL ? last : between;
        free(text);
        text = longer;
    }
    if (text == NULL)
        BUG("the row of %s has no choices", option_label(row).text);
    return text;
}

enum status option_choose(const struct option_row *row, const char *argument, unsigned *value, struct errmsg *err)
{
    for (size_t i = 0; i < row->choices; i++)
        if (row->choice[i] != NULL && strcmp(argument, row->choice[i]) == 0) {
            *value = (unsigned)i;
            return ST_OK;
        }
    char *names = join_names(row, ", ", " or ");
    enum status st = fail(err, ST_INPUT, "%s: expected %s, found '%s'%s", option_label(row).text, names, argument,
                          diag_hint(diag_nearest(argument, row->choice, row->choices)).text);
    free(names);
    return st;
}

static enum status set_choice(const struct option_row *row, void *member, const char *argument, struct errmsg *err)
{
    unsigned value;
    enum status st = option_choose(row, argument, &value, err);
    if (st == ST_OK)
        memcpy(member, &value, sizeof value); /* OPTION_ROW_CHOICE requires enums of this size */
    return st;
}

static enum status add_to_list(const struct option_row *row, struct option_list *list, const char *argument,
                               struct errmsg *err)
{
    if (list->count == row->most)
        return fail(err, ST_INPUT, "%s: more than %" PRIu64 " %s", option_label(row).text, row->most, row->contents);
    list->text[list->count++] = argument;
    return ST_OK;
}

enum status option_set(const struct option_row *row, void *options, const char *argument, struct errmsg *err)
{
    void *member = options_member_of(row, options);
    if (argument == NULL)
        argument = row->absent;
    if (row->accepts != NULL && !row->accepts(argument))
        return option_refuse(row, row->argument, argument, err);
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)member = true;
        return ST_OK;
    case OPTION_TEXT:
        *(const char **)member = argument;
        return ST_OK;
    case OPTION_NUMBER:
        return set_number(row, member, argument, err);
    case OPTION_COUNT:
        return set_count(row, member, argument, err);
    case OPTION_LIST:
        return add_to_list(row, member, argument, err);
    case OPTION_CHOICE:
        return set_choice(row, member, argument, err);
    case OPTION_CUSTOM:
        return row->parse(row, options, argument, err);
    case OPTION_HEADING:
    case OPTION_REST:
        break;
    }
    BUG("row of kind %d has no value of its own", row->kind);
}

/* Context of argp's callback. */
struct parsing {
    const struct option_syntax *syntax;
    void *options;
};

/* The row of positional argument `number`, from 0. If there are fewer rows, returns the last one (NULL: none) and sets
 * *beyond. */
static const struct option_row *argument_row(const struct option_syntax *syntax, unsigned number, bool *beyond)
{
    const struct option_row *last = NULL;
    *beyond = false;
    for (const struct option_row *row = syntax->row; row < syntax->row + syntax->rows; row++) {
        if (row->name != NULL || row->kind == OPTION_HEADING)
            continue;
        last = row;
        if (number-- == 0)
            return row;
    }
    *beyond = true;
    return last;
}

static error_t parse_argument(const struct parsing *p, char *argument, struct argp_state *state)
{
    struct errmsg err;
    bool beyond;
    const struct option_row *row = argument_row(p->syntax, state->arg_num, &beyond);
    if (row == NULL)
        return ARGP_ERR_UNKNOWN;
    if (row->kind == OPTION_REST) {
        *(char ***)options_member_of(row, p->options) = &state->argv[state->next - 1];
        state->next = state->argc;
    } else if (beyond && row->kind != OPTION_LIST) {
        argp_error(state, "one %s at a time: '%s' is the second", row->argument, argument);
    } else if (option_set(row, p->options, argument, &err) != ST_OK) {
        argp_error(state, "%s", err.text);
    }
    return 0;
}

static int options_key_of(const struct option_syntax *syntax, const struct option_row *row)
{
    return row->short_name != 0 ? row->short_name : FIRST_LONG_KEY + (int)(row - syntax->row);
}

static const struct option_row *options_row_of(const struct option_syntax *syntax, int key)
{
    for (const struct option_row *row = syntax->row; row < syntax->row + syntax->rows; row++)
        if (row->name != NULL && options_key_of(syntax, row) == key)
            return row;
    return NULL;
}

static int options_common_key(size_t n)
{
    return option_common[n].short_name != 0 ? option_common[n].short_name : FIRST_COMMON_KEY + (int)n;
}

/* Prints what an option that every tool has asks for, and exits. */
static _Noreturn void options_tell(const struct option_syntax *syntax, size_t option, struct argp_state *state)
{
    if (option == OPTION_COMMON_VERSION)
        puts(argp_program_version);
    else if (option == OPTION_COMMON_USAGE)
        argp_state_help(state, stdout, ARGP_HELP_USAGE);
    else if (option == OPTION_COMMON_HELP && syntax->examples != NULL)
        option_print_brief(syntax, state->name, stdout);
    else
        argp_state_help(state, stdout, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC);
    exit(0); /* which checks standard output: tool.h */
}

static _Noreturn void options_describe(const struct option_syntax *syntax, const char *tool)
{
    option_describe(syntax, tool, stdout);
    exit(fflush(stdout) == 0 ? 0 : EXIT_BAD_INPUT);
}

/* Checks that the arguments required are there, and what the tool checks. */
static enum status base_options_check(const struct parsing *p, struct errmsg *err)
{
    const struct option_syntax *s = p->syntax;
    for (const struct option_row *row = s->row; row < s->row + s->rows; row++)
        if (row->required != NULL &&
            *(const char *const *)(const void *)((const char *)p->options + row->offset) == NULL)
            return fail(err, ST_INPUT, "expected %s", row->required);
    return s->check != NULL ? s->check(s, p->options, err) : option_check_files(s, p->options, err);
}

static error_t base_options_parse(int key, char *argument, struct argp_state *state)
{
    const struct parsing *p = state->input;
    const struct option_row *row = options_row_of(p->syntax, key);
    enum status st = ST_OK;
    struct errmsg err;
    for (size_t n = 0; n < OPTIONS_COMMON; n++)
        if (key == options_common_key(n))
            options_tell(p->syntax, n, state);
    if (row != NULL)
        st = option_set(row, p->options, argument, &err);
    else if (key == ARGP_KEY_ARG)
        return parse_argument(p, argument, state);
    else if (key == DESCRIBE_KEY)
        options_describe(p->syntax, state->name);
    else if (key == ARGP_KEY_END)
        st = base_options_check(p, &err);
    else
        return ARGP_ERR_UNKNOWN;
    if (st != ST_OK)
        argp_error(state, "%s", err.text);
    return 0;
}

/* BUG on duplicate option names, which getopt would ignore. */
static void options_check_names(const struct option_syntax *syntax)
{
    for (const struct option_row *a = syntax->row; a < syntax->row + syntax->rows; a++) {
        for (size_t n = 0; n < OPTIONS_COMMON; n++)
            if (a->name != NULL && strcmp(a->name, option_common[n].name) == 0)
                BUG("option --%s is one that every tool has", a->name);
        for (const struct option_row *b = a + 1; b < syntax->row + syntax->rows; b++)
            if (a->name != NULL && b->name != NULL &&
                (strcmp(a->name, b->name) == 0 || (a->short_name != 0 && a->short_name == b->short_name)))
                BUG("two rows for option %s", option_label(b).text);
    }
}

char *option_argument(const struct option_row *row)
{
    if (row->argument != NULL)
        return xstrdup(row->argument);
    return row->kind == OPTION_CHOICE ? join_names(row, "|", "|") : NULL;
}

/* Builds argp's table of a syntax; each heading starts a group. free_table frees it. */
static struct argp_option *make_table(const struct option_syntax *syntax)
{
    struct argp_option *table = xcalloc(syntax->rows + OPTIONS_COMMON + 2, sizeof *table), *to = table;
    int group = 0;
    for (const struct option_row *row = syntax->row; row < syntax->row + syntax->rows; row++) {
        if (row->kind == OPTION_HEADING)
            *to++ = (struct argp_option){.doc = row->help, .group = ++group};
        if (row->name == NULL)
            continue;
        *to++ = (struct argp_option){row->name,
                                     options_key_of(syntax, row),
                                     option_argument(row),
                                     row->absent != NULL ? OPTION_ARG_OPTIONAL : 0,
                                     row->help,
                                     group};
    }
    for (size_t n = 0; n < OPTIONS_COMMON; n++)
        *to++ = (struct argp_option){option_common[n].name, options_common_key(n), NULL, 0, option_common[n].help, -1};
    *to = (struct argp_option){"describe", DESCRIBE_KEY, NULL, OPTION_HIDDEN, "", 0};
    return table;
}

static void free_table(struct argp_option *table)
{
    for (struct argp_option *o = table; o->name != NULL || o->doc != NULL; o++)
        free((char *)(uintptr_t)o->arg);
    free(table);
}

char *option_words(const struct option_row *row)
{
    char *text = NULL;
    size_t size_bytes = 0;
    FILE *out = xopen_text(&text, &size_bytes);
    row->words(out);
    xclose_text(out);
    return text;
}

static void set_initial(const struct option_syntax *syntax, void *options)
{
    struct errmsg err;
    for (const struct option_row *row = syntax->row; row < syntax->row + syntax->rows; row++)
        if (row->initial != NULL && option_set(row, options, row->initial, &err) != ST_OK)
            BUG("initial value: %s", err.text);
}

/* Makes what argp and getopt print printable: they print arguments as they are. */
static ssize_t print_error(void *to, const char *text, size_t size_bytes)
{
    const char *end = text + size_bytes;
    for (const char *line = text; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        char *printable = text_printable_line(line, (size_t)((newline != NULL ? newline : end) - line));
        fprintf(to, "%s%s", printable, newline != NULL ? "\n" : "");
        free(printable);
        line = newline != NULL ? newline + 1 : end;
    }
    return (ssize_t)size_bytes;
}

/* A stream of lines to `to`. */
static FILE *open_errors(FILE *to)
{
    FILE *stream = fopencookie(to, "w", (cookie_io_functions_t){.write = print_error});
    if (stream == NULL)
        out_of_memory();
    setvbuf(stream, NULL, _IOLBF, BUFSIZ);
    return stream;
}

void option_parse(const struct option_syntax *syntax, void *options, int argc, char **argv)
{
    struct parsing p = {syntax, options};
    unsigned flags = ARGP_NO_HELP; /* option_common has its options */
    options_check_names(syntax);
    set_initial(syntax, options);
    for (size_t i = 0; i < syntax->rows; i++)
        if (syntax->row[i].kind == OPTION_REST)
            flags |= ARGP_IN_ORDER; /* options after the first argument belong to the argument */
    struct argp_option *table = make_table(syntax);
    char *doc = option_make_doc(syntax);
    const struct argp argp = {table, base_options_parse, syntax->arguments, doc, NULL, NULL, NULL};
    argp_err_exit_status = EXIT_BAD_INPUT;
    FILE *errors = stderr;
    stderr = open_errors(errors);
    argp_parse(&argp, argc, argv, flags, NULL, &p);
    fclose(stderr);
    stderr = errors;
    free_table(table);
    free(doc);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/command/command_options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "host/export/program.h"

/* Whether an option of a kind of base/options.h has an argument. */
#define COMMAND_HAS_FLAG no_argument
#define COMMAND_HAS_TEXT required_argument
#define COMMAND_HAS_NUMBER(...) required_argument
#define COMMAND_HAS_COUNT required_argument
#define COMMAND_HAS_LIST(...) required_argument
#define COMMAND_HAS_CHOICE(...) required_argument
#define COMMAND_HAS_CUSTOM(...) required_argument
#define COMMAND_HAS_REST no_argument

/* An option without a short name has a value from here on. */
enum { COMMAND_LONG = 512 };

static const struct command_row {
    const char *name; /* NULL: of the guest, which ends the options */
    int short_name, argument;
} command_rows[] = {
#define OPTION(kind, member, long_name, short_name, ...) {long_name, short_name, COMMAND_HAS_##kind},
#include "tools/pcemu/options.def"
};
enum { COMMAND_ROWS = sizeof command_rows / sizeof command_rows[0] };

static int command_options_value(unsigned row)
{
    return command_rows[row].short_name != 0 ? command_rows[row].short_name : COMMAND_LONG + (int)row;
}

/* The words of a command line. */
struct command_words {
    char **word;          /* ends with NULL */
    const char **written; /* where each begins; the last one is the end */
    int count;
};

static struct command_words command_options_split(const char *command)
{
    struct command_words w = {.word = NULL};
    for (const char *at = command; *at != '\0'; w.count++) {
        w.word = xgrow(w.word, (size_t)w.count, sizeof *w.word);
        w.written = xgrow(w.written, (size_t)w.count, sizeof *w.written);
        w.written[w.count] = at;
        at = export_program_word(at, &w.word[w.count]);
    }
    w.word = xgrow(w.word, (size_t)w.count, sizeof *w.word);
    w.written = xgrow(w.written, (size_t)w.count, sizeof *w.written);
    w.word[w.count] = NULL;
    w.written[w.count] = command + strlen(command);
    return w;
}

static void command_options_release(struct command_words *w)
{
    for (int n = 0; n < w->count; n++)
        free(w->word[n]);
    free(w->word);
    free(w->written);
}

/* The option of a value of getopt_long; words from `first` up to `end` are its own. */
static struct command_option command_options_found(const struct command_words *w, int value, int first, int end)
{
    const char *start = w->written[first], *after = w->written[end];
    struct command_option o = {.written = start, .length = (size_t)(after - start)};
    if (after > start && after[-1] == ' ')
        o.length--;
    for (unsigned n = 0; n < COMMAND_ROWS; n++)
        if (command_rows[n].name != NULL && command_options_value(n) == value)
            o.name = command_rows[n].name;
    return o;
}

/* Fills the tables of getopt_long, which finds options as it did when pcemu read them (base/options.c). */
static void command_options_fill(struct option table[COMMAND_ROWS + 1], char letters[2 * COMMAND_ROWS + 3])
{
    struct option *to = table;
    *letters++ = '+'; /* up to the guest */
    for (unsigned n = 0; n < COMMAND_ROWS; n++) {
        const struct command_row *row = &command_rows[n];
        if (row->name == NULL)
            continue;
        *to++ = (struct option){row->name, row->argument, NULL, command_options_value(n)};
        if (row->short_name == 0)
            continue;
        *letters++ = (char)row->short_name;
        if (row->argument == required_argument)
            *letters++ = ':';
    }
    *to = (struct option){0};
    *letters = '\0';
}

const char *command_options_each(const struct store_run_info *run,
                                 void (*see)(void *ctx, const struct command_option *o), void *ctx)
{
    struct option table[COMMAND_ROWS + 1];
    char letters[2 * COMMAND_ROWS + 3];
    struct command_words w = command_options_split(run->command);
    int first = 1, value;
    command_options_fill(table, letters);
    opterr = 0;
    optind = 0; /* begins anew */
    while (w.count > 0 && (value = getopt_long(w.count, w.word, letters, table, NULL)) != -1) {
        const struct command_option o = command_options_found(&w, value, first, optind);
        see(ctx, &o);
        first = optind;
    }
    const char *rest = w.written[first < w.count ? first : w.count];
    command_options_release(&w);
    return rest;
}

struct command_options_search {
    const char *name;
    bool found;
};

static void command_options_compare(void *ctx, const struct command_option *o)
{
    struct command_options_search *s = ctx;
    s->found |= o->name != NULL && strcmp(o->name, s->name) == 0;
}

bool command_options_have(const struct store_run_info *run, const char *name)
{
    struct command_options_search s = {.name = name};
    (void)command_options_each(run, command_options_compare, &s);
    return s.found;
}

size_t command_options_count(char *const *words)
{
    struct option table[COMMAND_ROWS + 1];
    char letters[2 * COMMAND_ROWS + 3], name[] = "pcemu";
    int count = 1;
    char **argv = xgrow(NULL, 0, sizeof *argv);
    argv[0] = name;
    for (; words[count - 1] != NULL; count++) {
        argv = xgrow(argv, (size_t)count, sizeof *argv);
        argv[count] = words[count - 1];
    }
    argv = xgrow(argv, (size_t)count, sizeof *argv);
    argv[count] = NULL;
    command_options_fill(table, letters);
    opterr = 0;
    optind = 0; /* begins anew */
    while (getopt_long(count, argv, letters, table, NULL) != -1)
        ;
    free(argv);
    return (size_t)optind - 1;
}

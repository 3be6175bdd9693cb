/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines from tables. The options of a tool are the rows of one .def file. A row gives the member of the tool's
 * `struct options`, the line of --help, the parser with its error message, and the role of the file that the argument
 * names.
 *
 *     OPTION(kind, member, long name, short name, argument, help[, .column = value]...)
 *
 * The short name is a character, or 0. The argument is its name in --help, or NULL: a CHOICE then shows its names,
 * joined by |. A row without a long name is a positional argument; its help is NULL. Several such rows take the
 * arguments in order; a LIST, as the last one, takes the remaining arguments. The kinds, and the types of their
 * members:
 *
 *     FLAG                   bool                 set by the option
 *     TEXT                   const char *         the argument, borrowed from argv; NULL: not given
 *     NUMBER(least, most)    uint64_t             a number (number.h)
 *     COUNT                  uint64_t             instructions: a number
 *     LIST(most, contents)   struct option_list   up to `most` arguments; contents is a plural for the error
 *     CHOICE(type, names)    type, an enum        one of names, an array indexed by the enumerators
 *     CUSTOM(type, parse)    type                 what the function `parse` stores (see struct option_row)
 *     REST                   char **              a positional argument and all that follow, up to a NULL; or NULL
 *
 * A row with a column `brief` is in the short list of --help; --help-all lists all rows.
 *
 * Another kind is a compile error. GROUP(heading) begins a group of options in --help. The tool includes its .def file
 * twice: for the members,
 *
 *     struct options {
 *     #define OPTION(...) OPTION_MEMBER(__VA_ARGS__)
 *     #include "tool/options.def"
 *     };
 *
 * and for the rows, with OPTION_ROW(struct options, __VA_ARGS__) and OPTION_GROUP(heading). The .def file undefines the
 * macros at its end. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

enum { OPTION_LIST_MAX = 1024 };

/* The values of an option that may be repeated, in order; text[count] is NULL. */
struct option_list {
    unsigned count;
    const char *text[OPTION_LIST_MAX + 1]; /* borrowed from argv */
};

enum option_kind {
    OPTION_HEADING,
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_NUMBER,
    OPTION_COUNT,
    OPTION_LIST,
    OPTION_CHOICE,
    OPTION_CUSTOM,
    OPTION_REST,
};

/* When the file of an output option is written. */
enum option_output {
    OPTION_NO_OUTPUT,
    OPTION_AT_END,    /* when the run is over: such outputs can follow one another on standard output */
    OPTION_MEANWHILE, /* during the run: no other output can go to the same stream */
};

struct option_row {
    enum option_kind kind;
    size_t offset;        /* of the member, in bytes */
    const char *name;     /* the long name, without dashes; NULL: a positional argument */
    int short_name;       /* 0: none */
    const char *argument; /* the argument's name */
    const char *help;     /* help text; for a heading, its text */

    /* Columns set by the macros of the kinds. */
    uint64_t least, most;      /* NUMBER: the limits; LIST: the largest number of values */
    const char *contents;      /* LIST: plural for the error; positional argument with words: their heading in --help */
    const char *const *choice; /* CHOICE: indexed by the enumerators; NULL for those without a name */
    size_t choices;
    /* CUSTOM: stores the argument in *options. */
    enum status (*parse)(const struct option_row *row, void *options, const char *argument, struct errmsg *err);

    /* Columns that a row may set. */
    const char *brief;                     /* one-line help text of --help; NULL: only --help-all lists the row */
    const char *initial;                   /* default argument; NULL: the member is zero */
    const char *absent;                    /* if set, the option's argument is optional, and this is its default */
    bool (*accepts)(const char *argument); /* TEXT and LIST: returns whether the argument is well-formed */
    const char *complaint; /* error message before ", found 'argument'"; NULL: "OPTION: expected ARGUMENT" */
    /* Words that an argument may be or begin with, for completion and the manual page: prints lines
     * "WORD\tMEANING\n", with an empty MEANING for a word whose meaning is described elsewhere. */
    void (*words)(FILE *out);
    const char *required;   /* positional TEXT: what is expected, e.g. "a store"; missing it is an error */
    const char *separators; /* separators of words in an argument: "," between items, ":" between options of an item;
                             * NULL: one word */

    /* The role of the file, for option_check_files. */
    enum option_output writes;
    const char *reads;          /* term for the input, e.g. "the samples" */
    const char *standard_input; /* the argument that makes the tool read standard input, as "-" */
    /* Returns the file's name, or NULL, if the member is not itself the file's name; valid until the next call. */
    const char *(*path)(const struct option_row *row, const void *options);
};

/* A tool's command line. */
struct option_syntax {
    const struct option_row *row;
    size_t rows;
    const char *arguments;   /* usage line after the options */
    const char *doc;         /* text before the options; after '\v': text after them */
    const char *exit_status; /* text after "Exit status: " */
    /* Checks the consistency of options after all are set. NULL: option_check_files. */
    enum status (*check)(const struct option_syntax *syntax, const void *options, struct errmsg *err);
    const char *examples; /* commands of the shell, a line each, for --help; NULL: none, and --help lists all rows */
};

#define OPTION_MEMBER(kind, member, ...) OPTION_TYPE_##kind member;
/* `.help =` is followed by the help text and by the columns that the row sets. */
#define OPTION_ROW(type, kind, member, long_name, short_character, argument_name, ...) \
    {OPTION_ROW_##kind,         .offset = offsetof(type, member),                      \
     .name = long_name,         .short_name = short_character,                         \
     .argument = argument_name, .help = __VA_ARGS__},
#define OPTION_GROUP(heading) {.kind = OPTION_HEADING, .help = heading},

#define OPTION_TYPE_FLAG bool
#define OPTION_TYPE_TEXT const char *
#define OPTION_TYPE_NUMBER(...) uint64_t
#define OPTION_TYPE_COUNT uint64_t
#define OPTION_TYPE_LIST(...) struct option_list
#define OPTION_TYPE_CHOICE(type, names) type
#define OPTION_TYPE_CUSTOM(type, function) type
#define OPTION_TYPE_REST char **

#define OPTION_ROW_FLAG .kind = OPTION_FLAG
#define OPTION_ROW_TEXT .kind = OPTION_TEXT
#define OPTION_ROW_NUMBER(low, high) .kind = OPTION_NUMBER, .least = (low), .most = (high)
#define OPTION_ROW_COUNT .kind = OPTION_COUNT
#define OPTION_ROW_LIST(high, plural) \
    .kind = OPTION_LIST, .most = (high) + OPTION_REQUIRE((high) <= OPTION_LIST_MAX), .contents = plural
#define OPTION_ROW_CHOICE(type, names) \
    .kind = OPTION_CHOICE, OPTION_NAMES(names) + OPTION_REQUIRE(sizeof(type) == sizeof(unsigned))
#define OPTION_ROW_CUSTOM(type, function) .kind = OPTION_CUSTOM, .parse = function
#define OPTION_ROW_REST .kind = OPTION_REST
/* Column with the names for a CUSTOM row that calls option_choose. */
#define OPTION_NAMES(names) .choice = names, .choices = sizeof(names) / sizeof(names)[0]
/* 0 if the condition holds; otherwise a compile error. */
#define OPTION_REQUIRE(condition) (0 * sizeof(char[(condition) ? 1 : -1]))

/* Sets the defaults and parses the command line into *options, which must be zero and afterwards points into argv.
 * --help and similar options exit with status 0. The first error is printed and exits with EXIT_BAD_INPUT. */
void option_parse(const struct option_syntax *syntax, void *options, int argc, char **argv);

/* Parses one argument (NULL: none) into the member of its row. Errors are ST_INPUT. */
enum status option_set(const struct option_row *row, void *options, const char *argument, struct errmsg *err) MUST_USE;
/* Finds the argument among the row's names. The error message lists the names and suggests the nearest one. */
enum status option_choose(const struct option_row *row, const char *argument, unsigned *value,
                          struct errmsg *err) MUST_USE;
/* ST_INPUT with "OPTION: expected EXPECTED, found 'ARGUMENT'", for parsers of CUSTOM rows. */
enum status option_refuse(const struct option_row *row, const char *expected, const char *argument,
                          struct errmsg *err) MUST_USE;

/* Name of an option in messages: -o, --output or, for a positional argument, FILE. */
struct option_label {
    char text[64];
};
struct option_label option_label(const struct option_row *row);

/* Prints the syntax for the generators in share/: --describe, a hidden option of every tool. A line consists of a
 * keyword and its values, separated by tabs:
 *
 *     tool NAME VERSION
 *     usage ARGUMENTS
 *     summary TEXT                                   the line before the options
 *     notes TEXT                                     a paragraph behind the options, any number of them
 *     exit TEXT
 *     group HEADING                                  of the options that follow
 *     option LONG SHORT ARGUMENT PROPERTIES HELP     SHORT and ARGUMENT: - for none
 *     argument NAME PROPERTIES                       a positional one
 *     word WORD MEANING                              of the option or argument above
 *
 * PROPERTIES are words with spaces between them, or -: optional (the argument), files, folders, items and options (the
 * separators), rest (no option of the tool follows the argument). */
void option_describe(const struct option_syntax *syntax, const char *tool, FILE *out);

/* --help, of a syntax with examples: the rows with a brief text, words of positional arguments, examples. */
void option_print_brief(const struct option_syntax *syntax, const char *tool, FILE *out);
/* The text of --help-all around the options, as argp's `doc` has it. The caller frees it. */
char *option_make_doc(const struct option_syntax *syntax);

/* The options that every tool has, with their help texts. */
extern const struct option_common {
    const char *name;
    int short_name; /* 0: none */
    const char *help;
} option_common[];
enum { OPTION_COMMON_HELP, OPTION_COMMON_HELP_ALL, OPTION_COMMON_USAGE, OPTION_COMMON_VERSION, OPTIONS_COMMON };

/* Name of the argument in --help; NULL: the option has none. The caller frees it. */
char *option_argument(const struct option_row *row);
/* Output of the row's `words`. The caller frees it. */
char *option_words(const struct option_row *row);

/* Checks the files of all rows: at most one option reads standard input, outputs are distinct files, and no output
 * overwrites an input. Errors are ST_INPUT. */
enum status option_check_files(const struct option_syntax *syntax, const void *options, struct errmsg *err) MUST_USE;
/* Checks a file that a command of the tool writes while it runs: `path` is neither an input nor an output of the
 * options. Errors are ST_INPUT, with the command's name. */
enum status option_check_output(const struct option_syntax *syntax, const void *options, const char *command,
                                const char *path, struct errmsg *err) MUST_USE;

#endif

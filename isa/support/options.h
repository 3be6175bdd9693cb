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
#ifndef ISA_SUPPORT_OPTIONS_H
#define ISA_SUPPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "isa/support/status.h"

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
    const char *help;     /* of a heading, the heading */

    /* Columns that the macros of the kinds fill in. */
    uint64_t least, most;      /* NUMBER: the limits; LIST: the largest number of values */
    const char *contents;      /* LIST; of an argument with words, the heading of these in --help */
    const char *const *choice; /* CHOICE: indexed by the enumerators; NULL for those without a name */
    size_t choices;
    /* CUSTOM: stores the argument in *options. */
    enum status (*parse)(const struct option_row *row, void *options, const char *argument, struct errmsg *err);

    /* Columns that a row may set. */
    const char *initial;                   /* argument that stands for an option not given; NULL: the member is zero */
    const char *absent;                    /* makes the option's argument optional: the argument that stands for none */
    bool (*accepts)(const char *argument); /* TEXT and LIST: is the argument well-formed? */
    const char *complaint; /* the error before ", found 'argument'"; NULL: "OPTION: expected ARGUMENT" */
    /* Words that an argument may be or begin with, for completion and the manual page: prints lines
     * "WORD\tMEANING\n", with an empty MEANING for a word whose meaning is described elsewhere. */
    void (*words)(FILE *out);
    const char *separators; /* of several words in one argument: "," items, ":" options of an item; NULL: one word */

    /* The role of the file, for option_check_files. */
    enum option_output writes;
    const char *reads;                        /* the input in words, as "the samples" */
    const char *standard_input;               /* the argument that makes the tool read standard input, as "-" */
    const char *(*path)(const void *options); /* the file or NULL, for a member that is not the file's name itself */
};

/* A tool's command line. */
struct option_syntax {
    const struct option_row *row;
    size_t rows;
    const char *arguments;   /* in the usage line, behind the options */
    const char *doc;         /* before the options; behind '\v', after them */
    const char *exit_status; /* behind "Exit status: " */
    /* Checks options that depend on one another, when all are set. NULL: nothing to check. */
    enum status (*check)(const struct option_syntax *syntax, const void *options, struct errmsg *err);
};

#define OPTION_MEMBER(kind, member, ...) OPTION_TYPE_##kind member;
/* `.help =` takes the help and, behind it, the columns that the row sets. */
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
/* The column of names for a CUSTOM row that calls option_choose. */
#define OPTION_NAMES(names) .choice = names, .choices = sizeof(names) / sizeof(names)[0]
/* 0, or a compile error. */
#define OPTION_REQUIRE(condition) (0 * sizeof(char[(condition) ? 1 : -1]))

/* Sets the initial values and parses the command line into *options, which is zero at first and then points into argv.
 * --help and its like exit with status 0. The first error is printed and exits with EXIT_BAD_INPUT. */
void option_parse(const struct option_syntax *syntax, void *options, int argc, char **argv);

/* Parses one argument into the member of its row; NULL stands for no argument. An error is ST_INPUT. */
enum status option_set(const struct option_row *row, void *options, const char *argument, struct errmsg *err) MUST_USE;
/* The index of the argument among the row's names. An error lists the names and suggests the nearest one. */
enum status option_choose(const struct option_row *row, const char *argument, unsigned *value,
                          struct errmsg *err) MUST_USE;
/* ST_INPUT with "OPTION: expected EXPECTED, found 'ARGUMENT'", for parsers of CUSTOM rows. */
enum status option_refuse(const struct option_row *row, const char *expected, const char *argument,
                          struct errmsg *err) MUST_USE;

/* How a message names the option: -o, --output or, for a positional argument, FILE. */
struct option_label {
    char text[64];
};
struct option_label option_label(const struct option_row *row);

/* Prints the syntax as the generators in share/ read it: --describe, an option of every tool that --help does not list.
 * A line is a keyword and its values, with tabs between them:
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

/* The argument as --help names it, for free(); NULL: the option has none. */
char *option_argument(const struct option_row *row);
/* What `words` of the row prints, for free(). */
char *option_words(const struct option_row *row);

/* Checks the files of all rows: one option at most reads standard input, each output has a file of its own, and no
 * output replaces an input. Errors are ST_INPUT. */
enum status option_check_files(const struct option_syntax *syntax, const void *options, struct errmsg *err) MUST_USE;

#endif

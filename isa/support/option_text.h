/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options behind a name, as NAME:OPTION=NUMBER:OPTION=CHOICE+CHOICE:FLAG, which several of pcemu's arguments take.
 * Names have any case. Errors begin with the argument, `who`, and `name`; they name the nearest option and all options.
 * Entry point: option_text_parse. */
#ifndef ISA_SUPPORT_OPTION_TEXT_H
#define ISA_SUPPORT_OPTION_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "isa/support/status.h"

/* A name that an option takes, and its bits. */
struct text_choice {
    const char *name; /* NULL ends the list; "" is no name */
    uint64_t bits;
};

/* An option that takes a number, names, or nothing: a flag. */
struct text_option {
    const char *name;                  /* NULL ends a list */
    const char *unit;                  /* of the number, in the plural; NULL: no number */
    uint64_t least, most;              /* of the number */
    uint64_t otherwise;                /* the value if it is not given; TEXT_OPTION_SEED: the run's seed */
    const char *usual;                 /* what --help says if `otherwise` stands for another value; NULL: it does not */
    const struct text_choice *choices; /* borrowed; the value is the bits of all that are given. NULL: no names */
    const char *choice;                /* what one of them is, in the singular */
    bool required;                     /* it is an error if it is not given */
};
#define TEXT_OPTION_SEED UINT64_MAX

/* The option's value if it is not given. */
static inline uint64_t option_text_otherwise(const struct text_option *o, uint64_t seed)
{
    return o->otherwise == TEXT_OPTION_SEED ? seed : o->otherwise;
}

/* Parses "OPTION[:OPTION...]", which is modified, of `name`; NULL: no options. Sets value[i] and bit i of *given for
 * each option i of the list that the text has; leaves other values alone. The value of a flag is 1. ST_INPUT: unknown,
 * malformed, given twice, or a required one is missing; ST_RANGE: not in the range. */
enum status option_text_parse(const char *who, const char *name, char *text, const struct text_option *options,
                              uint64_t *value, uint32_t *given, struct errmsg *err) MUST_USE;

/* ST_INPUT: there is no `what` of that name; says the nearest one of the `count` names, and all. */
enum status option_text_unknown(const char *who, const char *what, const char *name, const char *const *names,
                                unsigned count, struct errmsg *err) MUST_USE;

/* Prints a line end, then lines of the options with their values if they are not given, ":OPTION=N (10007 cycles)", and
 * of the names that options take. NULL: no options. */
void option_text_print(const struct text_option *options, FILE *out);

/* Prints a line "NAME\tHELP", then a line "NAME:OPTION\tMEANING" for each option, with '=' behind OPTION where it takes
 * a value, and a line "NAME:OPTION=CHOICE\t" for each name that it takes.
 * The MEANING of a number is its range and its value if it is not given. NULL for `options`: none. */
void option_text_print_words(const char *name, const char *help, const struct text_option *options, FILE *out);

#endif

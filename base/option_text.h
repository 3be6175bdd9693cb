/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options after a name, NAME:OPTION=NUMBER:OPTION=CHOICE+CHOICE:FLAG, in arguments of pcemu. Names are
 * case-insensitive. Error messages begin with the argument `who` and `name`, and list the nearest option and all
 * options. Entry point: option_text_parse. */
#ifndef BASE_OPTION_TEXT_H
#define BASE_OPTION_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/* A name accepted as an option's value, and its bits. */
struct text_choice {
    const char *name; /* NULL ends the list; "": unused entry */
    uint64_t bits;
};

/* An option that takes a number, names, or nothing: a flag. */
struct text_option {
    const char *name;     /* NULL ends a list */
    const char *unit;     /* of the number, in the plural; NULL: no number */
    uint64_t least, most; /* of the number */
    uint64_t otherwise;   /* default value; TEXT_OPTION_SEED: the run's seed */
    const char *usual;    /* description of the default in --help if `otherwise` encodes another value; else NULL */
    const struct text_choice
        *choices;       /* borrowed; the value is the OR of the bits of all given names. NULL: no names */
    const char *choice; /* term for one choice, in the singular */
    const char *(*alias)(const char *name); /* the choice that others call so, for errors, or NULL; may be NULL */
    bool required;                          /* omission is an error */
};
#define TEXT_OPTION_SEED UINT64_MAX

/* The default value of an option. */
static inline uint64_t option_text_otherwise(const struct text_option *o, uint64_t seed)
{
    return o->otherwise == TEXT_OPTION_SEED ? seed : o->otherwise;
}

/* Parses the options "OPTION[:OPTION...]" of `name` (NULL: no options); modifies the text. Sets value[i] and bit i of
 * *given for each given option i; keeps the other values. The value of a flag is 1. ST_INPUT: unknown, malformed,
 * duplicate or missing required option; ST_RANGE: value out of range. */
enum status option_text_parse(const char *who, const char *name, char *text, const struct text_option *options,
                              uint64_t *value, uint32_t *given, struct errmsg *err) MUST_USE;

/* ST_INPUT: no `what` of this name; the message lists the nearest of the `count` names, and all. */
enum status option_text_unknown(const char *who, const char *what, const char *name, const char *const *names,
                                unsigned count, struct errmsg *err) MUST_USE;

/* Prints a newline, then the options with their defaults, ":OPTION=N (10007 cycles)", and the names that options
 * accept. NULL: no options. */
void option_text_print(const struct text_option *options, FILE *out);

/* Prints a line "NAME\tHELP", then a line "NAME:OPTION\tMEANING" for each option, with '=' after OPTION if it takes a
 * value, and a line "NAME:OPTION=CHOICE\t" for each name that it accepts. The MEANING of a number is its range and
 * default. `options` may be NULL. */
void option_text_print_words(const char *name, const char *help, const struct text_option *options, FILE *out);

#endif

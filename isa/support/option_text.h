/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options behind a name, as NAME:OPTION=NUMBER:FLAG, which several of pcemu's arguments take. Errors begin with the
 * argument, `who`, and name the nearest option and all options. Entry point: option_text_parse. */
#ifndef ISA_SUPPORT_OPTION_TEXT_H
#define ISA_SUPPORT_OPTION_TEXT_H

#include <stdint.h>

#include "isa/support/status.h"

/* An option that takes a number, or a flag. */
struct text_option {
    const char *name;     /* NULL ends a list */
    const char *unit;     /* of the number, in the plural; NULL: a flag, which is 0 or 1 */
    uint64_t least, most; /* of the number */
};

/* Parses "OPTION[:OPTION...]", which is modified. Sets value[i] and bit i of *given for each option i of the list that
 * the text has; leaves other values alone. ST_INPUT: unknown, malformed, or given twice; ST_RANGE: not in the range. */
enum status option_text_parse(const char *who, char *text, const struct text_option *options, uint64_t *value,
                              uint32_t *given, struct errmsg *err) MUST_USE;

/* ST_INPUT: there is no `what` of that name; says the nearest one of the `count` names, and all. */
enum status option_text_unknown(const char *who, const char *what, const char *name, const char *const *names,
                                unsigned count, struct errmsg *err) MUST_USE;

#endif

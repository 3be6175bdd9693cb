/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts in options: unsigned, as in C (decimal, 0x and hexadecimal, or 0 and octal), with an optional suffix: k
 * (10^3), M (10^6) or G (10^9). The values of a program's parameters have another grammar, that of expressions
 * (integer_parse_argument): signed, with 0o for octal, and a leading 0 is an error. Sizes in configurations have powers
 * of 2 as suffixes (core-model/config/config.c). */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdint.h>

#include "base/status.h"

/* Parses the whole text. ST_INPUT: not a number; ST_RANGE: exceeds 64 bits. The caller reports the error, because it
 * knows what was expected. */
enum status number_parse(const char *text, uint64_t *value) MUST_USE;

#endif

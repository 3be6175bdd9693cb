/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in arguments: as in C (decimal, 0x and hexadecimal, or 0 and octal), with an optional suffix: k (10^3), M
 * (10^6) or G (10^9). */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdint.h>

#include "base/status.h"

/* Parses the whole text. ST_INPUT: not a number; ST_RANGE: exceeds 64 bits. The caller reports the error, because it
 * knows what was expected. */
enum status number_parse(const char *text, uint64_t *value) MUST_USE;

#endif

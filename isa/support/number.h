/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers in arguments: as in C (decimal, 0x and hexadecimal, or 0 and octal), with an optional suffix behind the
 * digits of decimal prefixes: k for thousands, M for millions, G for billions. */
#ifndef ISA_SUPPORT_NUMBER_H
#define ISA_SUPPORT_NUMBER_H

#include <stdint.h>

#include "isa/support/status.h"

/* Parses the whole text. ST_INPUT: it is no number; ST_RANGE: it has more than 64 bits. No message is made: the caller
 * knows what was expected. */
enum status number_parse(const char *text, uint64_t *value) MUST_USE;

#endif

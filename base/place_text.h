/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of places in code: NAME+BYTES and FILE:LINE. */
#ifndef BASE_PLACE_TEXT_H
#define BASE_PLACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Splits NAME+BYTES, of `length` bytes, at the last '+': sets the name's length, and BYTES, a number of number.h.
 * ST_INPUT: the text has no such form; ST_RANGE: BYTES exceeds 64 bits. */
enum status place_text_offset(const char *text, size_t length, size_t *name_length, uint64_t *bytes) MUST_USE;

/* Splits FILE:LINE, of `length` bytes, at the last ':': sets the file's length, which can be 0, and the line, which has
 * decimal digits. Returns false if the text has no such form, or the line exceeds an int. */
bool place_text_line(const char *text, size_t length, size_t *file_length, unsigned *line);

#endif

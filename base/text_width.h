/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns that a text takes on a terminal, whatever the locale is: tables are aligned by these, not by bytes. */
#ifndef BASE_TEXT_WIDTH_H
#define BASE_TEXT_WIDTH_H

#include <stddef.h>

/* Columns of the first `size_bytes` bytes of a text. Control characters and bytes that are not UTF-8 take one each. */
size_t text_columns(const char *text, size_t size_bytes);

/* Bytes of the longest beginning, and of the longest end, of a text in at most so many columns. A character is whole,
 * and marks stay with the character before them. */
size_t text_beginning(const char *text, size_t size_bytes, size_t columns);
size_t text_end(const char *text, size_t size_bytes, size_t columns);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that others have made: names in files, paths, messages of libraries. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Makes a text one line of UTF-8 that a terminal shows and does not interpret, in place, and returns it. '?' replaces
 * each control character (also those from U+0080 on), separator of lines, character that changes the direction of
 * writing, and byte that is not UTF-8. */
char *text_make_printable(char *text);
/* Decodes the character at the beginning of a text, of at most `size_bytes` bytes, which a NUL byte may end before;
 * returns the number of its bytes, 0 if they are not UTF-8. */
unsigned text_decode(const char *text, size_t size_bytes, uint32_t *character);
/* A copy of a line of text, made printable in the same way, except that tabs stay. The caller frees it. */
char *text_printable_line(const char *text, size_t size_bytes);

#endif

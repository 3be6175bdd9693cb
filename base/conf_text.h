/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts for libconfuse, before it parses them. */
#ifndef BASE_CONF_TEXT_H
#define BASE_CONF_TEXT_H

#include <stddef.h>

#include "base/status.h"

/* Rejects input that libconfuse accepts silently: bytes that are no text, comments that do not end, environment
 * variables. Replaces comments by blanks. The text is NUL-terminated; errors name `path` and the line. */
enum status conf_text_check(const char *path, char *text, size_t size_bytes, struct errmsg *err) MUST_USE;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-1, to name the content of files that have no build ID. Source: FIPS 180-4, section 6.1. */
#ifndef BASE_SHA1_H
#define BASE_SHA1_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { SHA1_TEXT = 41 };
/* The hash of the bytes as 40 hexadecimal digits. */
void sha1_text(const void *bytes, size_t size_bytes, char text[SHA1_TEXT]);

#endif

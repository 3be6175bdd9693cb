/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-1, to name contents: of files that have no build ID, of pages of memory. Source: FIPS 180-4, section 6.1. */
#ifndef BASE_SHA1_H
#define BASE_SHA1_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { SHA1_BYTES = 20, SHA1_TEXT = 41 };
void sha1_digest(const void *bytes, size_t size_bytes, uint8_t digest[SHA1_BYTES]);
/* The hash of the bytes as 40 hexadecimal digits. */
void sha1_text(const void *bytes, size_t size_bytes, char text[SHA1_TEXT]);

#endif

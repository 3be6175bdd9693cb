/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-1, to name contents: of files that have no build ID, of pages of memory. Source: FIPS 180-4, section 6.1. */
#ifndef BASE_SHA1_H
#define BASE_SHA1_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { SHA1_BYTES = 20, SHA1_TEXT = 41, SHA1_BLOCK_BYTES = 64 };

/* The hash of bytes that arrive in parts. */
struct sha1 {
    uint32_t hash[SHA1_BYTES / 4];
    uint64_t size_bytes;             /* of all parts */
    uint8_t block[SHA1_BLOCK_BYTES]; /* the rest that is no whole block */
};
void sha1_begin(struct sha1 *s);
void sha1_add(struct sha1 *s, const void *bytes, size_t size_bytes);
void sha1_end(struct sha1 *s, uint8_t digest[SHA1_BYTES]);

/* The hash of the bytes. */
void sha1_digest(const void *bytes, size_t size_bytes, uint8_t digest[SHA1_BYTES]);
/* A hash as 40 hexadecimal digits. */
void sha1_print(const uint8_t digest[SHA1_BYTES], char text[SHA1_TEXT]);
/* The hash of the bytes, as sha1_print has it. */
void sha1_text(const void *bytes, size_t size_bytes, char text[SHA1_TEXT]);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/sha1.h"

#include <stdio.h>
#include <string.h>

enum { WORDS = SHA1_BYTES / 4, ROUNDS = 80 };

static uint32_t rotate(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }

/* f and K of a round. */
static uint32_t mix(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
    switch (round / 20) {
    case 0:
        return ((b & c) ^ (~b & d)) + 0x5a827999;
    case 1:
        return (b ^ c ^ d) + 0x6ed9eba1;
    case 2:
        return ((b & c) ^ (b & d) ^ (c & d)) + 0x8f1bbcdc;
    default:
        return (b ^ c ^ d) + 0xca62c1d6;
    }
}

static void sha1_add_block(uint32_t hash[WORDS], const uint8_t *block)
{
    uint32_t w[ROUNDS], v[WORDS];
    for (unsigned t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
               block[4 * t + 3];
    for (unsigned t = 16; t < ROUNDS; t++)
        w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    memcpy(v, hash, sizeof v);
    for (unsigned t = 0; t < ROUNDS; t++) {
        uint32_t next = rotate(v[0], 5) + mix(t, v[1], v[2], v[3]) + v[4] + w[t];
        v[4] = v[3];
        v[3] = v[2];
        v[2] = rotate(v[1], 30);
        v[1] = v[0];
        v[0] = next;
    }
    for (unsigned i = 0; i < WORDS; i++)
        hash[i] += v[i];
}

void sha1_begin(struct sha1 *s)
{
    *s = (struct sha1){.hash = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}};
}

void sha1_add(struct sha1 *s, const void *bytes, size_t size_bytes)
{
    const uint8_t *at = bytes, *end = at + size_bytes;
    const size_t held = s->size_bytes % SHA1_BLOCK_BYTES;
    s->size_bytes += size_bytes;
    if (held + size_bytes < SHA1_BLOCK_BYTES) {
        if (size_bytes != 0)
            memcpy(s->block + held, at, size_bytes);
        return;
    }
    if (held != 0) {
        memcpy(s->block + held, at, SHA1_BLOCK_BYTES - held);
        at += SHA1_BLOCK_BYTES - held;
        sha1_add_block(s->hash, s->block);
    }
    for (; end - at >= SHA1_BLOCK_BYTES; at += SHA1_BLOCK_BYTES)
        sha1_add_block(s->hash, at);
    memcpy(s->block, at, (size_t)(end - at));
}

void sha1_end(struct sha1 *s, uint8_t digest[SHA1_BYTES])
{
    /* A bit 1, zeros, and the length in bits, so that the last block is whole. */
    static const uint8_t padding[SHA1_BLOCK_BYTES] = {0x80};
    enum { LENGTH_BYTES = 8 };
    const uint64_t bits = s->size_bytes * 8;
    const size_t held = s->size_bytes % SHA1_BLOCK_BYTES, most = SHA1_BLOCK_BYTES - LENGTH_BYTES;
    uint8_t length[LENGTH_BYTES];
    for (unsigned i = 0; i < LENGTH_BYTES; i++)
        length[i] = (uint8_t)(bits >> (8 * (LENGTH_BYTES - 1 - i)));
    sha1_add(s, padding, held < most ? most - held : SHA1_BLOCK_BYTES + most - held);
    sha1_add(s, length, sizeof length);
    for (unsigned i = 0; i < SHA1_BYTES; i++)
        digest[i] = (uint8_t)(s->hash[i / 4] >> (24 - 8 * (i % 4)));
}

void sha1_digest(const void *bytes, size_t size_bytes, uint8_t digest[SHA1_BYTES])
{
    struct sha1 s;
    sha1_begin(&s);
    sha1_add(&s, bytes, size_bytes);
    sha1_end(&s, digest);
}

void sha1_print(const uint8_t digest[SHA1_BYTES], char text[SHA1_TEXT])
{
    for (unsigned i = 0; i < SHA1_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

void sha1_text(const void *bytes, size_t size_bytes, char text[SHA1_TEXT])
{
    uint8_t digest[SHA1_BYTES];
    sha1_digest(bytes, size_bytes, digest);
    sha1_print(digest, text);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-1 of FIPS 180's messages, at once and in parts. */
#include "base/sha1.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

enum { MANY = 1000000 };

/* The messages of FIPS 180-2, appendix A, and none. */
static const struct {
    const char *message; /* NULL: MANY letters a */
    const char *hash;
} example[] = {
    {"", "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
    {"abc", "a9993e364706816aba3e25717850c26c9cd0d89d"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
    {NULL, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"},
};

static char *example_message(int n, size_t *size_bytes)
{
    char *message = example[n].message != NULL ? xstrdup(example[n].message) : xmalloc(MANY);
    *size_bytes = example[n].message != NULL ? strlen(message) : MANY;
    if (example[n].message == NULL)
        memset(message, 'a', MANY);
    return message;
}

START_TEST(hashes_are_those_of_the_standard)
{
    char text[SHA1_TEXT];
    size_t size_bytes;
    char *message = example_message(_i, &size_bytes);
    sha1_text(message, size_bytes, text);
    ck_assert_str_eq(text, example[_i].hash);
    free(message);
}
END_TEST

/* Parts of 0 to 3 blocks, at all places within a block. */
START_TEST(parts_have_the_hash_of_the_whole)
{
    char text[SHA1_TEXT];
    uint8_t digest[SHA1_BYTES];
    size_t size_bytes;
    char *message = example_message(_i, &size_bytes);
    for (size_t step = 1; step <= 3 * SHA1_BLOCK_BYTES; step += 17) {
        struct sha1 s;
        sha1_begin(&s);
        for (size_t at = 0, part = 0; at < size_bytes; at += part) {
            part = (part + step) % (3 * SHA1_BLOCK_BYTES + 1);
            part = part < size_bytes - at ? part : size_bytes - at;
            sha1_add(&s, message + at, part);
        }
        sha1_end(&s, digest);
        sha1_print(digest, text);
        ck_assert_str_eq(text, example[_i].hash);
    }
    free(message);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("sha1");
    TCase *t = tcase_create("sha1");
    tcase_add_loop_test(t, hashes_are_those_of_the_standard, 0, sizeof example / sizeof example[0]);
    tcase_add_loop_test(t, parts_have_the_hash_of_the_whole, 0, sizeof example / sizeof example[0]);
    suite_add_tcase(s, t);
    return s;
}

int main(void) { return run_suite(make_suite()); }

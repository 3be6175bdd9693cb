/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FNV-1a of 64 bits, by the test vectors of its authors. */
#include "base/fnv.h"

#include <string.h>

#include "tests/unit/suite.h"

static const struct {
    const char *text;
    uint64_t hash;
} vectors[] = {
    {"", UINT64_C(0xcbf29ce484222325)},
    {"a", UINT64_C(0xaf63dc4c8601ec8c)},
    {"foobar", UINT64_C(0x85944171f73967e8)},
};

START_TEST(hashes_are_those_of_the_reference)
{
    const char *text = vectors[_i].text;
    ck_assert_uint_eq(fnv_extend(FNV_NONE, text, strlen(text)), vectors[_i].hash);
}
END_TEST

START_TEST(parts_have_the_hash_of_the_whole)
{
    ck_assert_uint_eq(fnv_extend(fnv_extend(FNV_NONE, "foo", 3), "bar", 3), fnv_extend(FNV_NONE, "foobar", 6));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fnv");
    TCase *t = tcase_create("fnv");
    tcase_add_loop_test(t, hashes_are_those_of_the_reference, 0, sizeof vectors / sizeof vectors[0]);
    tcase_add_test(t, parts_have_the_hash_of_the_whole);
    suite_add_tcase(s, t);
    return run_suite(s);
}

# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a unit test'
steps='file'
targets='build/tests/unit/test_rows'
file()
{
    create tests/unit/base/test_rows.c << 'C'
/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contract/opclass.h"

#include "tests/unit/suite.h"

START_TEST(names)
{
    ck_assert_str_eq(opclass_name(OPCLASS_LOAD), "load");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rows");
    TCase *t = tcase_create("names");
    tcase_add_test(t, names);
    suite_add_tcase(s, t);
    return run_suite(s);
}
C
}
unnoticed_file='there is no test without it'
works()
{
    (cd "$full" && make -n BUILD=build CFLAGS=-O0 check-units) > list
    says 'tests/unit/test_rows' list
    CK_VERBOSITY=minimal "$full/build/tests/unit/test_rows"
}

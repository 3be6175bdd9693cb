/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of each test program. */
#ifndef TESTS_UNIT_SUITE_H
#define TESTS_UNIT_SUITE_H

#include "tests/unit/assertions.h"

/* Runs the suite (which is freed); the exit status. CK_VERBOSITY says how much is printed. */
static inline int run_suite(Suite *s)
{
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}

#endif

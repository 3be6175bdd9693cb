/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Check's assertions, at the cost of a comparison. Check's own write and flush a message for each assertion that holds,
 * so that a crash can name the last one; that takes a third of the tests' time, and sanitizers name the line of a
 * crash. */
#ifndef TESTS_UNIT_ASSERTIONS_H
#define TESTS_UNIT_ASSERTIONS_H

#include <check.h>

#undef fail /* a macro of Check, a function of ours (base/status.h) */

#undef ck_assert_msg
#define ck_assert_msg(condition, ...) ((condition) ? (void)0 : ck_abort_msg(__VA_ARGS__))
#undef ck_assert
#define ck_assert(condition) ck_assert_msg(condition, "not %s", #condition)

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

/* The number of repetitions with other random numbers: `all`, or under the sanitizers an eighth of them. Sanitizers
 * make each several times as slow, and a fault that they find does not depend on many. */
#define REPETITIONS(all) (SANITIZED ? ((all) + 7) / 8 : (all))

#endif

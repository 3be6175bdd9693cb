/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the path analysis of clang-tidy has to know of functions of ours; included before each file by make lint-tidy.
 */
#ifndef TESTS_TIDY_H
#define TESTS_TIDY_H

#include "isa/support/status.h"

/* fail() returns the status that it is given. */
#define fail(err, st, ...) (fail(err, st, __VA_ARGS__), (st))

#endif

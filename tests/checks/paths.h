/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts about our functions for the path analyses of clang-tidy and gcc; included before each file by make
 * lint-analyzer and make lint-tidy. */
#ifndef TESTS_CHECKS_PATHS_H
#define TESTS_CHECKS_PATHS_H

#include "base/status.h"

/* fail() returns the status that it is given. */
#define fail(err, st, ...) (fail(err, st, __VA_ARGS__), (st))

#endif

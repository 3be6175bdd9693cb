/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For a test that ends in a fault of ours (tcase_add_exit_test): its message is read by the test and not printed, so
 * that a passing run shows none. */
#ifndef TESTS_UNIT_FAULT_H
#define TESTS_UNIT_FAULT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/assertions.h"

static FILE *fault_message; /* standard error of the test */

/* At exit: another exit status where the message is not there. */
static void verify_fault(void)
{
    static const char expected[] = "internal fault at ";
    char found[sizeof expected] = "";
    fflush(stderr);
    rewind(fault_message);
    if (fgets(found, sizeof found, fault_message) == NULL || strcmp(found, expected) != 0)
        _exit(EXIT_FAILURE);
}

/* At the start of the test. */
static void expect_fault(void)
{
    fault_message = tmpfile();
    if (fault_message == NULL || dup2(fileno(fault_message), STDERR_FILENO) < 0 || atexit(verify_fault) != 0)
        ck_abort_msg("standard error cannot be captured");
}

#endif

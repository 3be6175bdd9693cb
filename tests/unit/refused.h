/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of profilers that --profile refuses. */
#ifndef TESTS_UNIT_REFUSED_H
#define TESTS_UNIT_REFUSED_H

#include "core-model/prof/observers.h"

#include <string.h>

#include "tests/unit/assertions.h"

struct refused {
    const char *text, *says; /* says: part of the error, which is one line */
};

static inline void expect_refused(const struct refused *r)
{
    struct observers *set = observers_new();
    struct errmsg err;
    ck_assert_msg(observers_create(set, r->text, 1, &err) != ST_OK, "'%s' is not refused", r->text);
    observers_free(set);
    ck_assert_msg(strstr(err.text, r->says) != NULL, "'%s' says: %s", r->text, err.text);
    ck_assert_msg(strncmp(err.text, "--profile: ", 11) == 0 && strchr(err.text, '\n') == NULL, "%s", err.text);
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What harnesses share that do more with some inputs, or whose input is refused with a message. */
#ifndef TESTS_FUZZ_FUZZED_INPUT_H
#define TESTS_FUZZ_FUZZED_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Is it one of the inputs, one in 16 of random ones, with which a harness does what takes long? */
static inline bool is_one_in_16(const uint8_t *data, size_t size)
{
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++)
        sum += data[i];
    return sum % 16 == 0;
}

/* A refusal says why. */
static inline void check_refusal(const struct errmsg *err)
{
    if (err->text[0] == '\0')
        BUG("refused without a word");
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sort of exact values beside qsort with the position as the last key, at sizes of both methods. */
#include "contract/truth.h"

#include <stdlib.h>

#include "tests/unit/suite.h"

enum { MOST = 3000 };

/* A value and its position before the sort. */
struct placed {
    struct truth_value value;
    size_t position;
};

static enum truth_order order;

static uint64_t key_of(const struct truth_value *v)
{
    return order == TRUTH_BY_FREQUENCY ? UINT64_MAX - v->count : v->value & UINT32_MAX;
}

static int compare(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    const uint64_t p = key_of(&x->value), q = key_of(&y->value);
    return p != q ? (p > q) - (p < q) : (x->position > y->position) - (x->position < y->position);
}

/* Values of the given number of bits, so that few or many are equal. */
static void fill(struct truth_value *values, size_t count, unsigned bits, uint64_t *state)
{
    for (size_t n = 0; n < count; n++) {
        *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint64_t random = *state ^ *state >> 29;
        values[n] = (struct truth_value){random << 40 >> (64 - bits) << (random & 24), random >> (64 - bits / 2)};
    }
}

START_TEST(sorts_as_qsort_does)
{
    static const size_t sizes[] = {0, 1, 2, 24, 25, 100, MOST};
    static struct truth_value values[MOST], spare[MOST];
    static struct placed expected[MOST];
    uint64_t state = 1;
    order = (enum truth_order)_i;
    for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (unsigned bits = 4; bits <= 64; bits += 20) {
            fill(values, sizes[s], bits, &state);
            for (size_t n = 0; n < sizes[s]; n++)
                expected[n] = (struct placed){values[n], n};
            qsort(expected, sizes[s], sizeof *expected, compare);
            truth_sort(values, spare, sizes[s], order);
            for (size_t n = 0; n < sizes[s]; n++)
                ck_assert(values[n].value == expected[n].value.value && values[n].count == expected[n].value.count);
        }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("truth");
    TCase *t = tcase_create("sort");
    tcase_add_loop_test(t, sorts_as_qsort_does, TRUTH_BY_LOW_HALF, TRUTH_BY_FREQUENCY + 1);
    suite_add_tcase(s, t);
    return run_suite(s);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting of exact values. */
#include "contract/truth.h"

#define RADIX_ITEM struct truth_value
#define RADIX_KEY(item, order) truth_key_of(item, (enum truth_order)(order))
static inline uint64_t truth_key_of(const struct truth_value *v, enum truth_order order)
{
    return order == TRUTH_BY_FREQUENCY ? ~v->count : (uint32_t)v->value;
}

#include "base/radix_sort.inc"

void truth_sort(struct truth_value *values, struct truth_value *spare, size_t count, enum truth_order order)
{
    switch (order) {
    case TRUTH_BY_LOW_HALF:
        radix_sort(values, spare, count, TRUTH_BY_LOW_HALF);
        break;
    case TRUTH_BY_FREQUENCY:
        radix_sort(values, spare, count, TRUTH_BY_FREQUENCY);
        break;
    }
}

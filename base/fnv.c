/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/fnv.h"

uint64_t fnv_extend(uint64_t hash, const void *bytes, size_t size_bytes)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size_bytes; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

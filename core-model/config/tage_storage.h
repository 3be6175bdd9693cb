/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sizes of TAGE (core-model/bpred/tage.h) that no key of a configuration sets, and its storage. */
#ifndef CORE_MODEL_CONFIG_TAGE_STORAGE_H
#define CORE_MODEL_CONFIG_TAGE_STORAGE_H

#include <stdint.h>

enum { TAGE_TABLES = 6, TAGE_TAG_BITS = 11, TAGE_COUNTER_BITS = 3, TAGE_USEFUL_BITS = 2, TAGE_BASE_BITS = 2 };

/* Storage of a TAGE with tables of these numbers of entries, in bits. */
static inline uint64_t tage_storage_bits(uint32_t base_entries, uint32_t entries)
{
    const uint64_t tagged = TAGE_TAG_BITS + TAGE_COUNTER_BITS + TAGE_USEFUL_BITS;
    return (uint64_t)base_entries * TAGE_BASE_BITS + TAGE_TABLES * entries * tagged;
}

#endif

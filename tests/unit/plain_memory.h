/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A memory whose latencies are sums that a test can write down: no open rows, no queue, walks of a fixed time, no
 * instruction prefetch. */
#ifndef TESTS_UNIT_PLAIN_MEMORY_H
#define TESTS_UNIT_PLAIN_MEMORY_H

#include "core-model/config/config.h"

static inline void plain_memory(struct core_config *cfg)
{
    cfg->l1i_next_line = cfg->walk_levels = cfg->dram_row_bytes = cfg->dram_queue = 0;
    cfg->dram_cycles = 120;
    cfg->dram_banks = 8;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches, TLBs and predictors that a short loop fills, and whose warmed state has a few kilobytes. */
#ifndef TESTS_UNIT_SMALL_STRUCTURES_H
#define TESTS_UNIT_SMALL_STRUCTURES_H

#include "core-model/config/config.h"

static inline void make_structures_small(struct core_config *c)
{
    c->l1i_bytes = c->l1d_bytes = 512;
    c->l2_bytes = 1024;
    c->llc_bytes = 4096;
    c->l1i_ways = c->l1d_ways = c->l2_ways = c->llc_ways = 4;
    c->itlb_entries = c->dtlb_entries = 4;
    c->l2tlb_entries = 8;
    c->dram_banks = 2;
    c->tage_base_entries = 64;
    c->tage_entries = 64;
    c->local_histories = c->global_entries = 16;
    c->btb_entries = 16;
    c->indirect_entries = 4;
    c->ras_entries = 4;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TIP's registers as read by software (TIP paper, section 3.1, Figures 5 and 6).
 *
 *     flags:  0 stalled   1 exception   2 flush   3 mispredicted   4 front end   8..15 address valid   16..18 oldest ID
 */
#ifndef CORE_MODEL_PROF_TIP_H
#define CORE_MODEL_PROF_TIP_H

#include "core-model/prof/time/oir.h"

enum tip_flag {
    TIP_STALLED = 1 << 0,
    TIP_EXCEPTION = 1 << 1,
    TIP_FLUSH = 1 << 2,
    TIP_MISPREDICTED = 1 << 3,
    TIP_FRONTEND = 1 << 4,
    TIP_VALID_SHIFT = 8,
    TIP_OLDEST_SHIFT = 16,
};

struct tip_csr {
    uint64_t cycles; /* since the last sample */
    uint64_t flags;
    uint64_t address[PROBE_MAX_BANKS];
};

/* Sample selection in the cycle of the trigger. Returns false if the ROB has drained: then tip_dispatched sets the
 * addresses. */
bool tip_select(struct tip_csr *csr, const struct probe_oir *oir, const struct probe_token *t);
/* Completes the sample when the first instruction enters the drained ROB, or waits to enter. */
void tip_dispatched(struct tip_csr *csr, const struct probe_token *t);
/* Software: the commit state encoded in the flags; `address`: address of the oldest ID. */
enum time_state tip_state(uint64_t flags, uint64_t address);
/* Software: adds the sample to the profile; `ilp`: to all instructions that commit together. */
void tip_account(struct time_map *m, const struct tip_csr *csr, bool ilp);

#endif

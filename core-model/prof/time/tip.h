/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TIP's registers, as software reads them (TIP paper, section 3.1, Figures 5 and 6).
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

/* Sample selection in the cycle of the trigger. Returns false where the ROB has drained: the addresses follow in
 * tip_dispatched. */
bool tip_select(struct tip_csr *csr, const struct probe_oir *oir, const struct probe_token *t);
/* The first instruction enters the drained ROB, or would: completes the sample. */
void tip_dispatched(struct tip_csr *csr, const struct probe_token *t);
/* The software's part: the state of commit that the flags tell, `address` being that of the oldest ID. */
enum time_state tip_state(uint64_t flags, uint64_t address);
/* The same: adds the sample to the profile; `ilp`: to all instructions that commit together. */
void tip_account(struct time_map *m, const struct tip_csr *csr, bool ilp);

#endif

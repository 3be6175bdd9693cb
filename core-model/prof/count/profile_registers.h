/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ProfileMe's hardware behind the selection (ProfileMe paper, sections 4.1.3 to 4.3): sets of Profile Registers, which
 * the tag numbers, and the buffer of finished samples; and the software that an interrupt runs, which adds the samples
 * to the profile. */
#ifndef CORE_MODEL_PROF_COUNT_PROFILE_REGISTERS_H
#define CORE_MODEL_PROF_COUNT_PROFILE_REGISTERS_H

#include "core-model/prof/count/count_table.h"

enum { PROFILE_REGISTER_SETS = 255 }; /* tags have at most 8 bits, and 0 is none */

/* One instruction, or a pair in the order of fetch. */
struct profile_sample {
    struct profileme_record record[2];
    bool is_pair;
    uint64_t fetch_latency; /* of a pair: cycles from the first one's fetch to the second one's */
};

struct profile_registers {
    struct profile_sample *buffer; /* finished samples, as many as one interrupt delivers */
    unsigned buffered, capacity;
    uint64_t samples, interrupts; /* instructions delivered; interrupts that delivered them */
    struct count_table table;     /* the software's */
};

void profile_registers_init(struct profile_registers *r, unsigned capacity);
void profile_registers_fini(struct profile_registers *r);

/* The values of one set for an instruction that has retired or been squashed. It has all stages' cycles. */
struct profileme_record profile_registers_record(const struct probe_insn *in);
/* A sample is finished: buffers it, and delivers the buffer if it is full. */
void profile_registers_finish_one(struct profile_registers *r, const struct profileme_record *record);
void profile_registers_finish_pair(struct profile_registers *r, const struct profileme_record record[2]);
/* The software reads what is buffered: at an interrupt, or when the run is over. */
void profile_registers_read(struct profile_registers *r);

#endif

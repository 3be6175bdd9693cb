/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ProfileMe's hardware after selection (ProfileMe paper, sections 4.1.3 to 4.3): sets of Profile Registers, indexed by
 * the tag, and the buffer of complete samples; and the interrupt handler, which adds the samples to the profile. */
#ifndef CORE_MODEL_PROF_COUNT_PROFILE_REGISTERS_H
#define CORE_MODEL_PROF_COUNT_PROFILE_REGISTERS_H

#include "core-model/prof/count/count_table.h"

enum { PROFILE_REGISTER_SETS = 255 }; /* tags have at most 8 bits, and 0 is none */

/* One instruction, or a pair in the order of fetch. */
struct buffered_sample {
    struct profileme_record record[2];
    bool is_pair;
    uint64_t fetch_latency; /* pair: cycles from the fetch of the first to that of the second instruction */
};

struct profile_registers {
    struct buffered_sample *buffer; /* complete samples; one interrupt delivers a full buffer */
    unsigned buffered, capacity;
    uint64_t samples, interrupts; /* instructions delivered; interrupts that delivered them */
    struct count_table table;     /* profile kept by software */
};

void profile_registers_init(struct profile_registers *r, unsigned capacity);
void profile_registers_fini(struct profile_registers *r);

/* Contents of a register set for an instruction that has retired or been squashed. `in` must have the cycles of all
 * stages. */
struct profileme_record profile_registers_record(const struct probe_insn *in);
/* Buffers a complete sample, and delivers the buffer if it is full. */
void profile_registers_finish_one(struct profile_registers *r, const struct profileme_record *record);
void profile_registers_finish_pair(struct profile_registers *r, const struct profileme_record record[2]);
/* Reads the buffered samples: at an interrupt, or at the end of the run. */
void profile_registers_read(struct profile_registers *r);

#endif

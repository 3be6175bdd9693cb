/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts by instruction address during a run, and the contribution of one instruction by the column of_record of
 * contract/countprof.def. */
#ifndef CORE_MODEL_PROF_COUNT_COUNT_TABLE_H
#define CORE_MODEL_PROF_COUNT_COUNT_TABLE_H

#include "contract/countprof.h"
#include "contract/profileme.h"
#include "core-model/probe/probe.h"
#include "core-model/prof/pc_index.h"

struct count_table {
    struct pc_index index;
    const struct pc_page *page; /* page of the last lookup */
    struct count_row *row;      /* by the address's number; row 0 is unused */
    uint32_t capacity;
};

void count_table_init(struct count_table *t);
void count_table_fini(struct count_table *t);

/* Returns the number of the row of pc, which is created at the first call. */
uint32_t count_table_enter(struct count_table *t, uint64_t pc);

/* Index in t->row of the row of pc. The index is permanent; the row moves when another one is created. */
static inline uint32_t count_table_find(struct count_table *t, uint64_t pc)
{
    uint32_t at = pc_index_find(&t->index, pc, &t->page);
    return __builtin_expect(at != 0, 1) ? at : count_table_enter(t, pc);
}

static inline struct count_row *count_table_at(struct count_table *t, uint64_t pc)
{
    uint32_t at = count_table_find(t, pc);
    return &t->row[at];
}

/* The rows in ascending order of pc. The caller frees the array. */
struct count_row *count_table_rows(const struct count_table *t, size_t *count);
/* count_table_rows in place: the array takes the memory of the table, which is empty afterwards. */
struct count_row *count_table_take_rows(struct count_table *t, size_t *count);

/* Bit mask of enum probe_stage: stages whose cycles count_row_add reads. */
uint32_t count_row_stages(void);
/* Bit mask of the rows of countprof.def that count_row_add and count_row_add_record count, and of the rows of pairs. */
uint64_t count_kinds_of_record(void);
uint64_t count_kinds_of_pairs(void);

/* Adds an instruction that has retired or, as its cause says, been squashed. */
void count_row_add(struct count_row *r, const struct probe_insn *in);
/* Returns whether an instruction adds to the kind. To be called when it passes the stage of the row's signal AT(stage),
 * or later. */
bool count_adds(enum count_kind kind, const struct probe_insn *in);
/* Adds an instruction from its Profile Registers. */
void count_row_add_record(struct count_row *r, const struct profileme_record *record);

/* For one instruction: number of other instructions in each relation PAIR(...), and cycles of each row TOGETHER(own,
 * others). */
struct count_found {
    uint64_t USEFUL_OVERLAP, RETIRES_BESIDE, RETIRES_NEAR;
    uint64_t together[PHASES][PHASES]; /* [own][others] */
};
void count_row_add_found(struct count_row *r, const struct count_found *found);

#endif

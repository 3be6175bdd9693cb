/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts by instruction address while a run goes on, and what one instruction adds to them by the column of_record of
 * isa/contract/countprof.def. */
#ifndef CORE_MODEL_PROF_COUNT_COUNT_TABLE_H
#define CORE_MODEL_PROF_COUNT_COUNT_TABLE_H

#include "core-model/probe.h"
#include "core-model/prof/pc_index.h"
#include "isa/contract/countprof.h"
#include "isa/contract/profileme.h"

struct count_table {
    struct pc_index index;
    const struct pc_page *page; /* of the address looked up last */
    struct count_row *row;      /* by the address's number; the first is not used */
    uint32_t capacity;
};

void count_table_init(struct count_table *t);
void count_table_fini(struct count_table *t);

/* Makes the row of a pc unless it has one; returns its number. */
uint32_t count_table_enter(struct count_table *t, uint64_t pc);

/* The number of the row of pc in t->row, which stays the same. The row itself moves when another one is made. */
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

/* The rows by rising pc, the caller's to free. */
struct count_row *count_table_rows(const struct count_table *t, size_t *count);

/* The stages whose cycles count_row_add reads: a bit for each enum probe_stage. */
uint32_t count_row_stages(void);
/* A bit for each row of countprof.def that count_row_add and count_row_add_record count, and for each row of pairs. */
uint64_t count_kinds_of_record(void);
uint64_t count_kinds_of_pairs(void);

/* Adds an instruction that has retired or, by its cause, been squashed. */
void count_row_add(struct count_row *r, const struct probe_insn *in);
/* Does an instruction add to that kind, as it passes the stage of the row's signal AT(stage), or behind it? */
bool count_adds(enum count_kind kind, const struct probe_insn *in);
/* Adds the same instruction as the Profile Registers have it. */
void count_row_add_record(struct count_row *r, const struct profileme_record *record);

/* How many other instructions stand to one instruction in each relation of the rows PAIR(...), and the cycles that they
 * are together with it of the rows TOGETHER(own, others). */
struct count_found {
    uint64_t USEFUL_OVERLAP, RETIRES_BESIDE, RETIRES_NEAR;
    uint64_t together[PHASES][PHASES]; /* [own][others] */
};
void count_row_add_found(struct count_row *r, const struct count_found *found);

#endif

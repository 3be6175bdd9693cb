/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time by instruction address while a run goes on: what a profiler writes into. What kind of instruction a stall waited
 * for is looked up when the run is over, in the program, as TIP's software does (TIP paper, section 3.1). */
#ifndef CORE_MODEL_PROF_TIME_MAP_H
#define CORE_MODEL_PROF_TIME_MAP_H

#include "core-model/prof/pc_index.h"
#include "core-model/riscv/insn.h"
#include "isa/contract/timeprof.h"

/* The states of commit (TIP paper, section 2.2), the flushed one by its cause. */
enum time_state {
    STATE_COMPUTING,
    STATE_STALLED,
    STATE_DRAINED,
    STATE_MISPREDICTED,
    STATE_FLUSHED,
    STATE_HANDLER,
    TIME_STATE_COUNT
};

/* Stands for the code of an interrupt's handler, which is not of the program. All time given to it is in
 * STATE_HANDLER. */
enum { HANDLER_PC = 0 };

/* Arrays by the address's number; number 0 is not used. */
struct time_map {
    struct pc_index index;
    uint64_t *pc;
    uint64_t *time[TIME_STATE_COUNT];
    uint32_t capacity;
};

void time_map_init(struct time_map *m);
void time_map_fini(struct time_map *m);

/* Gives the address a number unless it has one; returns the number. */
uint32_t time_map_enter(struct time_map *m, uint64_t pc);

/* The number of pc. `page` is that of the address before, in a run of neighbours; the caller begins with &pc_no_page.
 */
static inline uint32_t time_map_find(struct time_map *m, uint64_t pc, const struct pc_page **page)
{
    uint32_t at = pc_index_find(&m->index, pc, page);
    return __builtin_expect(at != 0, 1) ? at : time_map_enter(m, pc);
}

static inline void time_map_add(struct time_map *m, uint64_t pc, enum time_state state, uint64_t time)
{
    const struct pc_page *page = &pc_no_page;
    uint32_t at = time_map_find(m, pc, &page);
    m->time[state][at] += time;
}

/* Sets the time by state of the address with that number. */
void time_map_get(const struct time_map *m, uint32_t number, uint64_t state[TIME_STATE_COUNT]);

/* Sets the time by category from that by state of an instruction; `in` says what its stalls are of. NULL: not known, an
 * ALU stall. The other kinds of stalls keep their values. */
void time_categorise(uint64_t category[TIME_CATEGORY_COUNT], const uint64_t state[TIME_STATE_COUNT],
                     const struct rv_insn *in);

/* The rows by rising pc, the caller's to free. `find` gives the instruction at a pc, or NULL. */
struct time_row *time_map_rows(const struct time_map *m, const struct rv_insn *(*find)(void *ctx, uint64_t pc),
                               void *ctx, size_t *count);

#endif

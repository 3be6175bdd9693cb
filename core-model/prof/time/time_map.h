/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time by instruction address during a run, filled by a profiler. The kind of instruction that caused a stall is looked
 * up in the program at the end of the run, as TIP's software does (TIP paper, section 3.1). */
#ifndef CORE_MODEL_PROF_TIME_MAP_H
#define CORE_MODEL_PROF_TIME_MAP_H

#include "contract/timeprof.h"
#include "core-model/prof/pc_index.h"
#include "core-model/riscv/insn.h"

/* Commit states (TIP paper, section 2.2); the state flushed is split by cause. */
enum time_state {
    STATE_COMPUTING,
    STATE_STALLED,
    STATE_DRAINED,
    STATE_MISPREDICTED,
    STATE_FLUSHED,
    STATE_HANDLER,
    TIME_STATE_COUNT
};

/* Represents the code of an interrupt handler, which is not part of the program. All its time is in STATE_HANDLER. */
enum { HANDLER_PC = 0 };

/* Arrays indexed by the address's number; number 0 is unused. */
struct time_map {
    struct pc_index index;
    uint64_t *pc;
    uint64_t *time[TIME_STATE_COUNT];
    uint32_t capacity;
};

void time_map_init(struct time_map *m);
void time_map_fini(struct time_map *m);

/* Returns the number of the address, which is assigned at the first call. */
uint32_t time_map_enter(struct time_map *m, uint64_t pc);

/* The number of pc. *page caches the page of the previous address in a sequence; callers initialise it to
 * &pc_no_page. */
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

/* Reads the time by commit state of the address with this number. */
void time_map_get(const struct time_map *m, uint32_t number, uint64_t state[TIME_STATE_COUNT]);

/* Converts an instruction's time by commit state to time by category; `in` determines the category of stalls (NULL:
 * unknown, ALU stall). The other stall categories keep their values. */
void time_categorise(uint64_t category[TIME_CATEGORY_COUNT], const uint64_t state[TIME_STATE_COUNT],
                     const struct rv_insn *in);

/* The rows in ascending order of pc. The caller frees the array. `find` returns the instruction at a pc, or NULL. */
struct time_row *time_map_rows(const struct time_map *m, const struct rv_insn *(*find)(void *ctx, uint64_t pc),
                               void *ctx, size_t *count);

#endif

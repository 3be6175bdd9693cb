/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time by instruction address and event signature during a run, filled by TEA's observers. */
#ifndef CORE_MODEL_PROF_PICS_MAP_H
#define CORE_MODEL_PROF_PICS_MAP_H

#include "contract/pics.h"
#include "core-model/prof/time/time_map.h"
#include "core-model/riscv/hart.h"

struct pics_entry {
    uint64_t pc;
    uint32_t signature;
    bool used;
    uint64_t time[TIME_STATE_COUNT];
};

struct pics_map {
    struct time_map base;     /* signature 0, that of most executions */
    struct pics_entry *entry; /* other signatures: hash table with open addressing; capacity is a power of two */
    size_t entries, capacity;
};

void pics_map_init(struct pics_map *m);
void pics_map_fini(struct pics_map *m);

void pics_map_add(struct pics_map *m, uint64_t pc, uint32_t signature, enum time_state state, uint64_t time);

/* The rows sorted by pc and signature. The caller frees the array. `hart` gives access to the program; NULL:
 * unknown. */
struct pics_row *pics_map_rows(const struct pics_map *m, struct hart *hart, size_t *count);

#endif

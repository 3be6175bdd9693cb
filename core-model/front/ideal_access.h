/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses of idealised instructions (ideal.h) to memory. What is ideal is there before the access, which then hits.
 * Shared by both cores. Private to core-model. */
#ifndef CORE_MODEL_FRONT_IDEAL_ACCESS_H
#define CORE_MODEL_FRONT_IDEAL_ACCESS_H

#include "core-model/ideal.h"
#include "core-model/mem/hierarchy.h"

/* An access of data; its causes are in enum ideal_cause. */
struct ideal_datum {
    uint32_t causes, bytes;
    uint64_t addr;
};

/* Before fetch at pc. */
void ideal_fetch(struct hierarchy *mem, uint64_t pc, uint64_t now);
/* Before the translation of a data address in cycle `when`. */
void ideal_translate(struct hierarchy *mem, uint64_t addr, uint64_t when);
/* Before the access of a load in cycle `when`. Returns whether there is none any more: the load's data come as those of
 * a hit. */
bool ideal_load(struct hierarchy *mem, const struct ideal_datum *d, uint64_t when);

#endif

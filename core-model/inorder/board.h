/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The issue rules of the in-order core that do not depend on data: the scoreboard, function units and slotting. The
 * core applies them to cycles as they happen, the static schedule (schedule.c) to a block alone, so both agree.
 *
 * Slotting, after the Alpha 21164: in program order; at most one instruction per unit instance and `mem_ports` memory
 * instructions in a cycle; no two stores in one cycle; no load two cycles after a store. */
#ifndef CORE_MODEL_INORDER_BOARD_H
#define CORE_MODEL_INORDER_BOARD_H

#include "core-model/config/config.h"
#include "core-model/riscv/insn.h"

enum { IN_REGISTERS = 64, IN_UNITS = 8, IN_LOAD_AFTER_STORE = 2 }; /* IN_UNITS: maximum of the configuration keys */

struct in_unit {
    uint32_t count, latency, used; /* used: instructions sent to it in this cycle */
    bool pipelined;
    uint64_t busy_until[IN_UNITS];
};

struct in_board {
    uint64_t reg_ready[IN_REGISTERS]; /* by register: cycle from which its value can be read */
    struct in_unit unit[RV_UNIT_COUNT];
    uint32_t mem_ports;
    uint64_t last_store; /* issue cycle of the last store; 0: none */
};

/* Why an instruction cannot issue. */
enum in_hazard {
    IN_CLEAR,       /* it can */
    IN_SOURCE,      /* source operand 0 is not ready; IN_SOURCE + n: operand n, up to 2 */
    IN_RESULT = 4,  /* results of the same register are written in order */
    IN_SLOT,        /* the unit's instances or the memory ports are taken in this cycle */
    IN_STORE_PAIR,  /* a second store in this cycle */
    IN_AFTER_STORE, /* a load two cycles after a store */
    IN_BUSY         /* no instance of an unpipelined unit is free */
};

struct in_wait {
    enum in_hazard hazard;
    uint64_t until; /* cycle in which this hazard has ended */
};

void in_board_init(struct in_board *b, const struct core_config *cfg);
/* Begins a cycle: no slot is taken. */
void in_board_begin_cycle(struct in_board *b);

/* The first hazard of the registers of an instruction with this latency in cycle `now`. */
static inline struct in_wait in_board_registers(const struct in_board *b, const struct rv_insn *in, uint64_t latency,
                                                uint64_t now)
{
    for (int n = 0; n < 3; n++)
        if (b->reg_ready[in->src[n]] > now)
            return (struct in_wait){(enum in_hazard)(IN_SOURCE + n), b->reg_ready[in->src[n]]};
    const uint64_t written = b->reg_ready[in->dst];
    if (in->dst != 0 && written > now + latency)
        return (struct in_wait){IN_RESULT, written - latency};
    return (struct in_wait){IN_CLEAR, now};
}

static inline bool in_is_memory(enum rv_unit u) { return u == RV_UNIT_LOAD || u == RV_UNIT_STORE || u == RV_UNIT_AMO; }

/* Slots of this cycle. */
static inline struct in_wait in_board_slots(const struct in_board *b, const struct rv_insn *in, uint64_t now)
{
    enum rv_unit kind = (enum rv_unit)in->unit;
    const struct in_unit *u = &b->unit[kind];
    uint32_t ports = b->unit[RV_UNIT_LOAD].used + b->unit[RV_UNIT_STORE].used + b->unit[RV_UNIT_AMO].used;
    if (u->used >= u->count || (in_is_memory(kind) && ports >= b->mem_ports))
        return (struct in_wait){IN_SLOT, now + 1};
    if (kind == RV_UNIT_STORE && u->used > 0)
        return (struct in_wait){IN_STORE_PAIR, now + 1};
    return (struct in_wait){IN_CLEAR, now};
}

/* Constraints left by earlier cycles: a load after a store, units that are not pipelined. */
static inline struct in_wait in_board_units(const struct in_board *b, const struct rv_insn *in, uint64_t now)
{
    const struct in_unit *u = &b->unit[in->unit];
    if (in->unit == RV_UNIT_LOAD && b->last_store != 0 && now == b->last_store + IN_LOAD_AFTER_STORE)
        return (struct in_wait){IN_AFTER_STORE, now + 1};
    if (u->pipelined)
        return (struct in_wait){IN_CLEAR, now};
    uint64_t earliest = UINT64_MAX;
    for (uint32_t n = 0; n < u->count; n++)
        if (u->busy_until[n] < earliest)
            earliest = u->busy_until[n];
    return (struct in_wait){earliest <= now ? IN_CLEAR : IN_BUSY, earliest};
}

/* The instruction issues, and takes its slot alone. */
static inline void in_board_take_slot(struct in_board *b, const struct rv_insn *in) { b->unit[in->unit].used++; }

/* The instruction issues: takes its slot, and an instance of its unit if that is not pipelined. */
static inline void in_board_issue(struct in_board *b, const struct rv_insn *in, uint64_t now)
{
    struct in_unit *u = &b->unit[in->unit];
    in_board_take_slot(b, in);
    for (uint32_t n = 0; !u->pipelined && n < u->count; n++)
        if (u->busy_until[n] <= now) {
            u->busy_until[n] = now + u->latency;
            return;
        }
}

/* The instruction's result is ready in cycle `done`. */
static inline void in_board_result(struct in_board *b, const struct rv_insn *in, uint64_t done)
{
    if (in->dst != 0)
        b->reg_ready[in->dst] = done;
}

#endif

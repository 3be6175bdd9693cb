/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a core model is to core.c: its functions. Private to core-model. */
#ifndef CORE_MODEL_ENGINE_H
#define CORE_MODEL_ENGINE_H

#include "core-model/bpred/bpred.h"
#include "core-model/core.h"
#include "core-model/interrupt.h"
#include "core-model/mem/hierarchy.h"
#include "core-model/probe_port.h"
#include "core-model/riscv/code.h"
#include "core-model/stats.h"
#include "isa/opclass.h"

/* Pointers into a core of which functional warming, observers and the interrupt line need no more. */
struct engine_parts {
    struct guest *guest;
    struct hierarchy *mem;
    struct bpred *bpred;
    uint64_t *history; /* global branch history */
    struct probe_port *port;
    struct interrupt *interrupt;
    const struct core_config *config;
};

/* Must the instruction wait until it is alone to be executed? CSRs that count, and what changes the world outside the hart. The others
 * are executed when they are fetched, and rv_undo can take them back. */
static inline bool engine_defers(const struct rv_insn *in)
{
    enum { CSR_LAST_FLOAT = 3 }; /* fflags, frm, fcsr: state that rv_undo restores */
    if (!(in->flags & RV_SERIAL))
        return false;
    switch (in->opclass) {
    case OPCLASS_CSR: return in->imm > CSR_LAST_FLOAT;
    case OPCLASS_FENCE: return (in->flags & RV_FLUSH) != 0;
    case OPCLASS_ATOMIC: return false;
    default: return true;
    }
}

/* rv_fetch, where first touches may fault: then NULL with RV_TRAP_PAGE for an instruction in a page not touched before. */
static inline const struct rv_insn *engine_fetch(const struct core_config *cfg, struct hart *h, enum rv_trap *trap)
{
    const struct rv_insn *in = code_fetch(h, h->pc, trap);
    if (cfg->page_fault_cycles == 0 || in == NULL || memory_touched(&h->mem, h->pc, in->length_bytes))
        return in;
    *trap = RV_TRAP_PAGE;
    return NULL;
}

/* The instruction has the core's page fault: of its datum, where it could be fetched. One page of it is there when it comes again. */
static inline void engine_touch(struct hart *h, uint64_t pc, const struct rv_outcome *o)
{
    enum rv_trap trap;
    if (o->trap == RV_TRAP_NONE)
        memory_touch(&h->mem, o->ea, o->mem_bytes);
    else
        memory_touch(&h->mem, pc, rv_fetch(h, pc, &trap)->length_bytes);
}

struct engine {
    void *(*make)(const struct core_config *config, struct guest *guest);
    void (*release)(void *self);
    struct engine_parts (*parts)(void *self);
    enum rv_trap (*run)(void *self, uint64_t max_insts);
    /* Empties the pipeline by a flush, and counts from 0 what core_cycle, core_retired and the statistics report. */
    void (*begin)(void *self);
    uint64_t (*clock)(const void *self);
    uint64_t (*cycle)(const void *self);
    uint64_t (*retired)(const void *self);
    struct core_stats (*stats)(const void *self);
    void (*check)(const void *self);
    void (*print)(const void *self, FILE *out); /* for people */
};

extern const struct engine ooo_engine, inorder_engine;

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An observer of translated code: functional warming (core-model/warm.h). */
#ifndef CORE_MODEL_RISCV_TRANSLATE_WATCH_H
#define CORE_MODEL_RISCV_TRANSLATE_WATCH_H

#include "core-model/riscv/hart.h"
#include "core-model/riscv/lines.h"

/* Its functions are called, in program order, for fetches from another line than before, for accesses to lines that are
 * not remembered, and for transfers of control. */
struct rv_watch {
    struct lines code, data;
    uint64_t line; /* number of the line of the last instruction; UINT64_MAX: none yet */
    /* A fetch from another line. */
    void (*fetch)(struct rv_watch *w, uint64_t pc);
    /* An access to a line that is not remembered. False: it is an unusual one, and nothing has happened. */
    bool (*access)(struct rv_watch *w, uint64_t addr, unsigned size_bytes, bool is_write);
    void (*branch)(struct rv_watch *w, uint64_t pc, bool taken, uint64_t target);
    /* The jump at pc; `target`: of an indirect one. */
    void (*jump)(struct rv_watch *w, uint64_t pc, uint64_t target);
    /* Executes the instruction at h->pc, observed, in place of rv_step. */
    enum rv_trap (*step)(struct hart *h);
};

#endif

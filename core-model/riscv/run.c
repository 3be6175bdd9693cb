/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functional execution: rv_run and rv_execute. Code is translated, or interpreted where it cannot be. */
#include "core-model/riscv/blocks.h"
#include "core-model/riscv/interpret.h"
#include "core-model/riscv/translate/translation.h"

enum { RUN_QUANTUM = 1 << 20 }; /* interval between polls of hart->stop, in instructions */

/* interpreted_run by counted blocks. */
static enum rv_trap run_counted(struct hart *h, uint64_t limit, uint64_t *executed)
{
    enum rv_trap trap = RV_TRAP_LIMIT;
    uint64_t n = 0, insns = 0, some = 0;
    for (; trap == RV_TRAP_LIMIT && n < limit && some == insns; n += some) {
        const uint64_t rest = blocks_rest(h);
        insns = rest < limit - n ? rest : limit - n;
        h->instret += n;
        h->cycle += n;
        trap = interpreted_run(h, insns, &some);
        h->instret -= n;
        h->cycle -= n;
        blocks_executed(h, some);
    }
    *executed = n;
    return trap;
}

static enum rv_trap run_interpreted(struct hart *h, uint64_t limit, uint64_t *executed)
{
    return h->blocks != NULL ? run_counted(h, limit, executed) : interpreted_run(h, limit, executed);
}

enum rv_trap rv_execute(struct hart *h, uint64_t insts, struct rv_watch *watch)
{
    uint64_t executed;
    enum rv_trap trap;
    if (h->blocks != NULL)
        blocks_resume(h);
    if (h->code->translation != NULL) {
        translation_watch(h, watch);
        trap = translated_run(h, insts, &executed);
    } else {
        h->watch = watch;
        trap = run_interpreted(h, insts, &executed);
    }
    h->instret += executed;
    h->cycle += executed;
    if (h->blocks != NULL)
        blocks_pause(h);
    return trap;
}

void rv_stop_at(struct hart *h, uint64_t pc)
{
    if (h->stop_pc == pc)
        return;
    rv_discard_code(h, h->stop_pc, 1);
    rv_discard_code(h, pc, 1);
    h->stop_pc = pc;
}

enum rv_trap rv_run(struct hart *h, uint64_t max_insts)
{
    enum rv_trap trap = RV_TRAP_LIMIT;
    const uint64_t end = max_insts > UINT64_MAX - h->instret ? UINT64_MAX : h->instret + max_insts;
    while (trap == RV_TRAP_LIMIT && h->instret != end && h->pc != h->stop_pc) {
        if (h->stop)
            return RV_TRAP_STOP;
        const uint64_t left = end - h->instret;
        trap = rv_execute(h, left < RUN_QUANTUM ? left : RUN_QUANTUM, NULL);
    }
    return trap;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/riscv/step.h"

#include "core-model/riscv/fp.h"

enum rv_trap rv_step(struct hart *h)
{
    enum rv_trap trap;
    if (h->pc == h->stop_pc)
        return RV_TRAP_LIMIT;
    struct rv_outcome out;
    const struct rv_insn *in = rv_fetch(h, h->pc, &trap);
    if (in == NULL)
        return trap;
    rv_exec(h, in, &out);
    return (enum rv_trap)out.trap;
}

enum rv_trap rv_step_counted(struct hart *h, uint64_t count, enum rv_trap (*step)(struct hart *h))
{
    fp_barrier();
    h->fcsr |= fp_host_flags();
    h->instret += count;
    h->cycle += count;
    enum rv_trap trap = step(h);
    h->instret -= count;
    h->cycle -= count;
    fp_host_clear();
    return trap;
}

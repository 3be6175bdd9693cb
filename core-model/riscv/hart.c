/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creation and release of a hart. */
#include "core-model/riscv/code.h"

enum status hart_init(struct hart *h, struct errmsg *err)
{
    *h = (struct hart){.reservation = UINT64_MAX, .time_per_1000_cycles = 1000, .stop_pc = UINT64_MAX};
    enum status st = memory_init(&h->mem, err);
    if (st != ST_OK)
        return st;
    st = code_init(h, err);
    if (st != ST_OK)
        memory_fini(&h->mem);
    return st;
}

void hart_fini(struct hart *h)
{
    code_fini(h);
    memory_fini(&h->mem);
}

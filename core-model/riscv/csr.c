/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control and status registers of user mode: fflags, frm, fcsr, cycle, time, instret.
 * Source: the unprivileged manual, chapters "Zicsr", "Zicntr" and "F". */
#include "core-model/riscv/csr.h"

#include "core-model/riscv/fp.h"
#include "core-model/riscv/sem.h"

static bool csr_read(const struct hart *h, unsigned number, uint64_t *value)
{
    switch (number) {
    case CSR_FFLAGS:
        *value = h->fcsr & FP_FLAGS;
        return true;
    case CSR_FRM:
        *value = h->fcsr >> FCSR_FRM_SHIFT & 7;
        return true;
    case CSR_FCSR:
        *value = h->fcsr & FCSR_MASK;
        return true;
    case CSR_CYCLE:
        *value = h->cycle;
        return true;
    case CSR_TIME:
        *value = (uint64_t)(((rv_u128)h->cycle + h->slept_cycles) * h->time_per_1000_cycles / 1000);
        return true;
    case CSR_INSTRET:
        *value = h->instret;
        return true;
    default:
        return false;
    }
}

static bool csr_write(struct hart *h, unsigned number, uint64_t value)
{
    switch (number) {
    case CSR_FFLAGS:
        h->fcsr = (h->fcsr & ~(uint32_t)FP_FLAGS) | (value & FP_FLAGS);
        return true;
    case CSR_FRM:
        h->fcsr = (h->fcsr & FP_FLAGS) | (uint32_t)(value & 7) << FCSR_FRM_SHIFT;
        return true;
    case CSR_FCSR:
        h->fcsr = value & FCSR_MASK;
        return true;
    default:
        return false; /* the counters are read-only */
    }
}

bool csr_access(struct hart *h, const struct rv_insn *in, uint64_t operand, uint64_t *old)
{
    unsigned number = (unsigned)in->imm, field = in->word >> 15 & 31;
    bool immediate = in->op == RV_CSRRWI || in->op == RV_CSRRSI || in->op == RV_CSRRCI;
    bool swaps = in->op == RV_CSRRW || in->op == RV_CSRRWI;
    if (immediate)
        operand = field;
    if (!csr_read(h, number, old))
        return false;
    if (swaps)
        return csr_write(h, number, operand);
    if (field == 0)
        return true;
    bool sets = in->op == RV_CSRRS || in->op == RV_CSRRSI;
    return csr_write(h, number, sets ? *old | operand : *old & ~operand);
}

const char *csr_name(unsigned number)
{
    switch (number) {
    case CSR_FFLAGS:
        return "fflags";
    case CSR_FRM:
        return "frm";
    case CSR_FCSR:
        return "fcsr";
    case CSR_CYCLE:
        return "cycle";
    case CSR_TIME:
        return "time";
    case CSR_INSTRET:
        return "instret";
    default:
        return NULL;
    }
}

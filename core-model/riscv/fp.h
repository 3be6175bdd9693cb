/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Use of the host's floating-point environment for the guest's exception flags and rounding mode. Flags accumulate in
 * the host's status register and are read only on demand (rv_run: at CSR accesses and on return), so an ordinary
 * operation costs no more than on the host. Source: the unprivileged manual, chapter "F", section "Floating-Point
 * Control and Status Register". */
#ifndef CORE_MODEL_RISCV_FP_H
#define CORE_MODEL_RISCV_FP_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <fenv.h>
#endif

#include "core-model/riscv/insn.h"

enum fp_mode { FP_RNE, FP_RTZ, FP_RDN, FP_RUP, FP_RMM, FP_MODES, FP_DYN = 7 };
enum fp_flag { FP_NX = 1, FP_UF = 2, FP_OF = 4, FP_DZ = 8, FP_NV = 16, FP_FLAGS = 31 };
enum { FCSR_FRM_SHIFT = 5, FCSR_MASK = 0xff };

#if defined(__x86_64__)
/* MXCSR: flags IE DE ZE OE UE PE in bits 5:0, masks in 12:7, rounding control in 14:13. */
enum { MXCSR_FLAGS = 0x3f, MXCSR_DEFAULT = 0x1f80, MXCSR_RC_SHIFT = 13 };

static inline void fp_host_clear(void)
{
    unsigned csr = _mm_getcsr();
    if (csr & MXCSR_FLAGS)
        _mm_setcsr(csr & ~(unsigned)MXCSR_FLAGS);
}

/* The host's flags in the guest's bit positions. */
static inline uint32_t fp_host_flags(void)
{
    unsigned csr = _mm_getcsr();
    return (csr >> 5 & 1) | (csr >> 3 & 2) | (csr >> 1 & 4) | (csr << 1 & 8) | (csr << 4 & 16);
}

/* Sets the host's rounding mode. Not for RMM, which hosts do not have. */
static inline void fp_host_set_mode(enum fp_mode mode)
{
    static const uint8_t control[FP_MODES] = {[FP_RNE] = 0, [FP_RDN] = 1, [FP_RUP] = 2, [FP_RTZ] = 3};
    _mm_setcsr(MXCSR_DEFAULT | (unsigned)control[mode] << MXCSR_RC_SHIFT | (_mm_getcsr() & MXCSR_FLAGS));
}
#else
static inline void fp_host_clear(void) { feclearexcept(FE_ALL_EXCEPT); }

static inline uint32_t fp_host_flags(void)
{
    int e = fetestexcept(FE_ALL_EXCEPT);
    return (e & FE_INEXACT ? FP_NX : 0u) | (e & FE_UNDERFLOW ? FP_UF : 0u) | (e & FE_OVERFLOW ? FP_OF : 0u) |
           (e & FE_DIVBYZERO ? FP_DZ : 0u) | (e & FE_INVALID ? FP_NV : 0u);
}

static inline void fp_host_set_mode(enum fp_mode mode)
{
    static const int control[FP_MODES] = {
        [FP_RNE] = FE_TONEAREST, [FP_RDN] = FE_DOWNWARD, [FP_RUP] = FE_UPWARD, [FP_RTZ] = FE_TOWARDZERO};
    fesetround(control[mode]);
}
#endif

/* Compiler barrier: floating-point operations are not moved across a change of mode or a read of the flags. */
static inline void fp_barrier(void) { __asm__ volatile("" ::: "memory"); }

/* Effective rounding mode of an instruction; values from FP_MODES on are invalid. */
static inline unsigned fp_effective_mode(unsigned rm, uint32_t fcsr)
{
    return rm == FP_DYN ? fcsr >> FCSR_FRM_SHIFT & 7 : rm;
}

/* Round to nearest, ties away from zero, of an instruction of kind F1R, F2R or F3R whose value and flags to nearest
 * even are known: returns its value and changes *flags. The host's mode is RNE before and after. */
uint64_t fp_round_rmm(enum rv_op op, uint64_t a, uint64_t b, uint64_t c, uint64_t nearest_even, uint32_t *flags);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Semantics of the floating-point rows of rv.def: host arithmetic in the host's current rounding mode; the host
 * accumulates the exception flags (fp.h). Operations on which hosts differ set flags in *fcsr directly: NaN rules of
 * fmin and fmax, conversions to integers, and an invalid product with a quiet NaN addend. Source: the unprivileged
 * manual, chapters "F" and "D". */
#ifndef CORE_MODEL_RISCV_SEM_FP_H
#define CORE_MODEL_RISCV_SEM_FP_H

#include <string.h>

#include "core-model/riscv/fp.h"
#include "core-model/riscv/sem.h"

#define FP_QNAN_S UINT32_C(0x7fc00000)
#define FP_QNAN_D UINT64_C(0x7ff8000000000000)
#define FP_QUIET_S UINT32_C(0x00400000)
#define FP_QUIET_D UINT64_C(0x0008000000000000)
#define FP_SIGN_S UINT32_C(0x80000000)
#define FP_SIGN_D UINT64_C(0x8000000000000000)
#define FP_INF_S UINT32_C(0x7f800000)
#define FP_INF_D UINT64_C(0x7ff0000000000000)

RV_SEM uint64_t box(uint32_t bits) { return bits | UINT64_C(0xffffffff00000000); }
/* An improperly NaN-boxed single is the canonical NaN. Its value is hidden from the compiler, which would otherwise
 * fold constants and drop the exception flags. */
RV_SEM uint32_t unbox(uint64_t reg)
{
    if (__builtin_expect(reg >> 32 == 0xffffffff, 1))
        return (uint32_t)reg;
    uint32_t nan = FP_QNAN_S;
    __asm__("" : "+r"(nan));
    return nan;
}

RV_SEM float float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
RV_SEM uint32_t bits_of_float(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}
RV_SEM double double_of(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}
RV_SEM uint64_t bits_of_double(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}
RV_SEM float get_s(uint64_t reg) { return float_of(unbox(reg)); }
/* Boxes a result; every NaN becomes the canonical one. The comparison raises no flag, because results are never
 * signalling NaNs. */
RV_SEM uint64_t put_s(float f) { return __builtin_expect(f != f, 0) ? box(FP_QNAN_S) : box(bits_of_float(f)); }
RV_SEM uint64_t put_d(double d) { return __builtin_expect(d != d, 0) ? FP_QNAN_D : bits_of_double(d); }

RV_SEM bool is_nan_s(uint32_t x) { return (x & ~FP_SIGN_S) > FP_INF_S; }
RV_SEM bool is_nan_d(uint64_t x) { return (x & ~FP_SIGN_D) > FP_INF_D; }
RV_SEM bool is_signalling_s(uint32_t x) { return is_nan_s(x) && !(x & FP_QUIET_S); }
RV_SEM bool is_signalling_d(uint64_t x) { return is_nan_d(x) && !(x & FP_QUIET_D); }

#define FP_BINARY(name, operator)                                                                         \
    RV_SEM uint64_t exec_##name##_S(uint64_t a, uint64_t b) { return put_s(get_s(a) operator get_s(b)); } \
    RV_SEM uint64_t exec_##name##_D(uint64_t a, uint64_t b) { return put_d(double_of(a) operator double_of(b)); }
FP_BINARY(FADD, +)
FP_BINARY(FSUB, -)
FP_BINARY(FMUL, *)
FP_BINARY(FDIV, /)
#undef FP_BINARY

RV_SEM uint64_t exec_FSQRT_S(uint64_t a) { return put_s(__builtin_sqrtf(get_s(a))); }
RV_SEM uint64_t exec_FSQRT_D(uint64_t a) { return put_d(__builtin_sqrt(double_of(a))); }

/* Infinity times zero is invalid even with a quiet NaN addend, where hosts differ. */
RV_SEM bool invalid_product_s(uint32_t a, uint32_t b)
{
    a &= ~FP_SIGN_S, b &= ~FP_SIGN_S;
    return (a == FP_INF_S && b == 0) || (a == 0 && b == FP_INF_S);
}
RV_SEM bool invalid_product_d(uint64_t a, uint64_t b)
{
    a &= ~FP_SIGN_D, b &= ~FP_SIGN_D;
    return (a == FP_INF_D && b == 0) || (a == 0 && b == FP_INF_D);
}

RV_SEM uint64_t fused_s(uint64_t a, uint64_t b, uint64_t c, uint32_t negate_product, uint32_t negate_addend,
                        uint32_t *fcsr)
{
    uint32_t x = unbox(a) ^ negate_product, y = unbox(b), z = unbox(c) ^ negate_addend;
    float r = __builtin_fmaf(float_of(x), float_of(y), float_of(z));
    if (__builtin_expect(r != r, 0)) {
        if (invalid_product_s(x, y))
            *fcsr |= FP_NV;
        return box(FP_QNAN_S);
    }
    return box(bits_of_float(r));
}
RV_SEM uint64_t fused_d(uint64_t a, uint64_t b, uint64_t c, uint64_t negate_product, uint64_t negate_addend,
                        uint32_t *fcsr)
{
    uint64_t x = a ^ negate_product;
    double r = __builtin_fma(double_of(x), double_of(b), double_of(c ^ negate_addend));
    if (__builtin_expect(r != r, 0)) {
        if (invalid_product_d(x, b))
            *fcsr |= FP_NV;
        return FP_QNAN_D;
    }
    return bits_of_double(r);
}
#define FP_FUSED(name, product, addend)                                                     \
    RV_SEM uint64_t exec_##name##_S(uint64_t a, uint64_t b, uint64_t c, uint32_t *fcsr)     \
    {                                                                                       \
        return fused_s(a, b, c, (product) ? FP_SIGN_S : 0, (addend) ? FP_SIGN_S : 0, fcsr); \
    }                                                                                       \
    RV_SEM uint64_t exec_##name##_D(uint64_t a, uint64_t b, uint64_t c, uint32_t *fcsr)     \
    {                                                                                       \
        return fused_d(a, b, c, (product) ? FP_SIGN_D : 0, (addend) ? FP_SIGN_D : 0, fcsr); \
    }
FP_FUSED(FMADD, 0, 0)
FP_FUSED(FMSUB, 0, 1)
FP_FUSED(FNMSUB, 1, 0)
FP_FUSED(FNMADD, 1, 1)
#undef FP_FUSED

RV_SEM uint64_t exec_FCVT_S_W(uint64_t a) { return box(bits_of_float((float)(int32_t)(uint32_t)a)); }
RV_SEM uint64_t exec_FCVT_S_WU(uint64_t a) { return box(bits_of_float((float)(int64_t)(uint32_t)a)); }
RV_SEM uint64_t exec_FCVT_S_L(uint64_t a) { return box(bits_of_float((float)(int64_t)a)); }
RV_SEM uint64_t exec_FCVT_D_W(uint64_t a) { return bits_of_double((double)(int32_t)(uint32_t)a); }
RV_SEM uint64_t exec_FCVT_D_WU(uint64_t a) { return bits_of_double((double)(int64_t)(uint32_t)a); }
RV_SEM uint64_t exec_FCVT_D_L(uint64_t a) { return bits_of_double((double)(int64_t)a); }
/* Above INT64_MAX: half the value with a sticky low bit rounds in the same way, and doubling is exact. */
RV_SEM uint64_t exec_FCVT_S_LU(uint64_t a)
{
    if ((int64_t)a >= 0)
        return exec_FCVT_S_L(a);
    float half = (float)(int64_t)(a >> 1 | (a & 1));
    return box(bits_of_float(half + half));
}
RV_SEM uint64_t exec_FCVT_D_LU(uint64_t a)
{
    if ((int64_t)a >= 0)
        return exec_FCVT_D_L(a);
    double half = (double)(int64_t)(a >> 1 | (a & 1));
    return bits_of_double(half + half);
}
RV_SEM uint64_t exec_FCVT_S_D(uint64_t a) { return put_s((float)double_of(a)); }
RV_SEM uint64_t exec_FCVT_D_S(uint64_t a) { return put_d((double)get_s(a)); }

/* |value| * 2^-shift, rounded by `mode`; shift is at least 1. */
RV_SEM uint64_t round_shifted(uint64_t value, unsigned shift, bool negative, unsigned mode, bool *inexact)
{
    uint64_t whole = shift < 64 ? value >> shift : 0;
    uint64_t rest = shift < 64 ? value << (64 - shift)
                               : value != 0; /* fraction in units of 2^-64; less than one half for shifts over 64 */
    if (rest == 0)
        return whole;
    *inexact = true;
    const uint64_t half = FP_SIGN_D;
    bool up = mode == FP_RNE   ? rest > half || (rest == half && (whole & 1))
              : mode == FP_RMM ? rest >= half
              : mode == FP_RDN ? negative
              : mode == FP_RUP ? !negative
                               : false;
    return whole + up;
}

/* To an integer in [-neg_limit, pos_limit], saturating with NV and nothing else; a NaN counts as +infinity. */
static inline __attribute__((unused)) uint64_t convert_to_int(uint64_t bits, unsigned mode, uint64_t neg_limit,
                                                              uint64_t pos_limit, uint32_t *fcsr)
{
    enum { BIAS = 1023, FRACTION_BITS = 52 };
    bool negative = bits >> 63, inexact = false;
    int exponent = (int)(bits >> FRACTION_BITS & 0x7ff) - BIAS;
    uint64_t significand = (bits & (FP_QUIET_D * 2 - 1)) | (exponent > -BIAS ? FP_QUIET_D * 2 : 0);
    uint64_t magnitude;
    if (is_nan_d(bits))
        negative = false;
    if (exponent >= FRACTION_BITS)
        magnitude = significand << ((exponent - FRACTION_BITS) & 63); /* exponents over 63 saturate below */
    else
        magnitude = round_shifted(significand, (unsigned)(FRACTION_BITS - exponent), negative, mode, &inexact);
    uint64_t limit = negative ? neg_limit : pos_limit;
    if (exponent >= 64 || magnitude > limit) {
        *fcsr |= FP_NV;
        return negative ? 0 - limit : limit;
    }
    if (inexact)
        *fcsr |= FP_NX;
    return negative ? 0 - magnitude : magnitude;
}

/* Widens without a host conversion, which would quieten a signalling NaN and raise flags. */
RV_SEM uint64_t widen_quietly(uint64_t reg)
{
    uint32_t x = unbox(reg);
    return is_nan_s(x) ? FP_QNAN_D : bits_of_double((double)float_of(x));
}

#define INT64_LIMIT (UINT64_C(1) << 63)
#define INT32_LIMIT (UINT64_C(1) << 31)
RV_SEM uint64_t exec_FCVT_W_D(uint64_t a, unsigned mode, uint32_t *fcsr)
{
    return sext32(convert_to_int(a, mode, INT32_LIMIT, INT32_LIMIT - 1, fcsr));
}
RV_SEM uint64_t exec_FCVT_WU_D(uint64_t a, unsigned mode, uint32_t *fcsr)
{
    return sext32(convert_to_int(a, mode, 0, UINT32_MAX, fcsr));
}
RV_SEM uint64_t exec_FCVT_L_D(uint64_t a, unsigned mode, uint32_t *fcsr)
{
    return convert_to_int(a, mode, INT64_LIMIT, INT64_LIMIT - 1, fcsr);
}
RV_SEM uint64_t exec_FCVT_LU_D(uint64_t a, unsigned mode, uint32_t *fcsr)
{
    return convert_to_int(a, mode, 0, UINT64_MAX, fcsr);
}
#undef INT64_LIMIT
#undef INT32_LIMIT
RV_SEM uint64_t exec_FCVT_W_S(uint64_t a, unsigned m, uint32_t *fcsr)
{
    return exec_FCVT_W_D(widen_quietly(a), m, fcsr);
}
RV_SEM uint64_t exec_FCVT_WU_S(uint64_t a, unsigned m, uint32_t *fcsr)
{
    return exec_FCVT_WU_D(widen_quietly(a), m, fcsr);
}
RV_SEM uint64_t exec_FCVT_L_S(uint64_t a, unsigned m, uint32_t *fcsr)
{
    return exec_FCVT_L_D(widen_quietly(a), m, fcsr);
}
RV_SEM uint64_t exec_FCVT_LU_S(uint64_t a, unsigned m, uint32_t *fcsr)
{
    return exec_FCVT_LU_D(widen_quietly(a), m, fcsr);
}

/* Operations that do not round. */
#define FP_SIGNS(name, expression)                                            \
    RV_SEM uint64_t exec_##name##_S(uint64_t ra, uint64_t rb, uint32_t *fcsr) \
    {                                                                         \
        const uint64_t sign = FP_SIGN_S, a = unbox(ra), b = unbox(rb);        \
        (void)fcsr;                                                           \
        return box((uint32_t)((a & ~sign) | ((expression)&sign)));            \
    }                                                                         \
    RV_SEM uint64_t exec_##name##_D(uint64_t a, uint64_t b, uint32_t *fcsr)   \
    {                                                                         \
        const uint64_t sign = FP_SIGN_D;                                      \
        (void)fcsr;                                                           \
        return (a & ~sign) | ((expression)&sign);                             \
    }
FP_SIGNS(FSGNJ, b)
FP_SIGNS(FSGNJN, ~b)
FP_SIGNS(FSGNJX, a ^ b)
#undef FP_SIGNS

/* Maps the bits to an integer with the same order as the numbers; -0 is less than +0. */
RV_SEM int64_t order_s(uint32_t x) { return x & FP_SIGN_S ? (int64_t)(int32_t)~x - INT32_MAX - 1 : (int64_t)x; }
RV_SEM int64_t order_d(uint64_t x) { return (int64_t)(x & FP_SIGN_D ? ~x ^ FP_SIGN_D : x); }

/* Minimum or maximum: a number is preferred to a NaN; two NaNs yield the canonical NaN; only a signalling NaN is
 * invalid. */
RV_SEM uint64_t select_s(uint64_t ra, uint64_t rb, bool max, uint32_t *fcsr)
{
    uint32_t a = unbox(ra), b = unbox(rb);
    if (is_signalling_s(a) || is_signalling_s(b))
        *fcsr |= FP_NV;
    if (is_nan_s(a))
        return box(is_nan_s(b) ? FP_QNAN_S : b);
    if (is_nan_s(b))
        return box(a);
    return box((order_s(a) < order_s(b)) != max ? a : b);
}
RV_SEM uint64_t select_d(uint64_t a, uint64_t b, bool max, uint32_t *fcsr)
{
    if (is_signalling_d(a) || is_signalling_d(b))
        *fcsr |= FP_NV;
    if (is_nan_d(a))
        return is_nan_d(b) ? FP_QNAN_D : b;
    if (is_nan_d(b))
        return a;
    return (order_d(a) < order_d(b)) != max ? a : b;
}
RV_SEM uint64_t exec_FMIN_S(uint64_t a, uint64_t b, uint32_t *fcsr) { return select_s(a, b, false, fcsr); }
RV_SEM uint64_t exec_FMAX_S(uint64_t a, uint64_t b, uint32_t *fcsr) { return select_s(a, b, true, fcsr); }
RV_SEM uint64_t exec_FMIN_D(uint64_t a, uint64_t b, uint32_t *fcsr) { return select_d(a, b, false, fcsr); }
RV_SEM uint64_t exec_FMAX_D(uint64_t a, uint64_t b, uint32_t *fcsr) { return select_d(a, b, true, fcsr); }

/* C's == is the quiet comparison and < the signalling one, as feq and flt require. */
#define FP_COMPARE(name, operator)                                          \
    RV_SEM uint64_t exec_##name##_S(uint64_t a, uint64_t b, uint32_t *fcsr) \
    {                                                                       \
        (void)fcsr;                                                         \
        return get_s(a) operator get_s(b);                                  \
    }                                                                       \
    RV_SEM uint64_t exec_##name##_D(uint64_t a, uint64_t b, uint32_t *fcsr) \
    {                                                                       \
        (void)fcsr;                                                         \
        return double_of(a) operator double_of(b);                          \
    }
FP_COMPARE(FEQ, ==)
FP_COMPARE(FLT, <)
FP_COMPARE(FLE, <=)
#undef FP_COMPARE

/* Bits 0..9: -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf, signalling NaN, quiet NaN. */
RV_SEM uint64_t sem_fp_classify(bool negative, bool infinite, bool zero, bool subnormal)
{
    unsigned rank = infinite ? 3 : zero ? 0 : subnormal ? 1 : 2;
    return UINT64_C(1) << (negative ? 3 - rank : 4 + rank);
}
RV_SEM uint64_t exec_FCLASS_S(uint64_t reg, uint32_t *fcsr)
{
    uint32_t x = unbox(reg), m = x & ~FP_SIGN_S;
    (void)fcsr;
    if (is_nan_s(x))
        return is_signalling_s(x) ? 1 << 8 : 1 << 9;
    return sem_fp_classify(x >> 31, m == FP_INF_S, m == 0, m < FP_QUIET_S * 2);
}
RV_SEM uint64_t exec_FCLASS_D(uint64_t x, uint32_t *fcsr)
{
    uint64_t m = x & ~FP_SIGN_D;
    (void)fcsr;
    if (is_nan_d(x))
        return is_signalling_d(x) ? 1 << 8 : 1 << 9;
    return sem_fp_classify(x >> 63, m == FP_INF_D, m == 0, m < FP_QUIET_D * 2);
}

RV_SEM uint64_t exec_FMV_X_W(uint64_t a, uint32_t *fcsr)
{
    (void)fcsr;
    return sext32(a);
}
RV_SEM uint64_t exec_FMV_W_X(uint64_t a, uint32_t *fcsr)
{
    (void)fcsr;
    return box((uint32_t)a);
}
RV_SEM uint64_t exec_FMV_X_D(uint64_t a, uint32_t *fcsr)
{
    (void)fcsr;
    return a;
}
RV_SEM uint64_t exec_FMV_D_X(uint64_t a, uint32_t *fcsr)
{
    (void)fcsr;
    return a;
}

#endif

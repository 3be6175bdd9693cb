/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Round to nearest, ties away from zero, a mode that hosts do not have: fp_round_rmm. The result is computed in
 * binary128 with truncation and a sticky last bit ("round to odd"). Because 113 bits exceed 2 * 53 + 2, a second
 * rounding in integer arithmetic yields the correctly rounded double or single. Source: the unprivileged manual,
 * chapter "F", table of rounding modes; Boldo and Melquiond on round to odd. */
#include "core-model/riscv/format.h"
#include "core-model/riscv/sem_fp.h"

#include "base/status.h"

#include <float.h>

#if defined(__x86_64__)
__extension__ typedef __float128 quad;
#else
typedef long double quad;
_Static_assert(LDBL_MANT_DIG == 113, "binary128 is needed");
#endif

enum { QUAD_BIAS = 16383, QUAD_FRACTION_BITS = 112 };

/* Parameters of the target format, single or double. */
struct fp_target {
    int precision_bits; /* including the hidden bit */
    int bias;
    uint64_t sign, infinity;
};

static const struct fp_target single_target = {24, 127, FP_SIGN_S, FP_INF_S};
static const struct fp_target double_target = {53, 1023, FP_SIGN_D, FP_INF_D};

static rv_u128 bits_of_quad(quad q)
{
    rv_u128 bits;
    memcpy(&bits, &q, sizeof bits);
    return bits;
}

/* Keeps the compiler from reordering the computation of `q`. */
static quad pin(quad q)
{
    __asm__ volatile("" : "+m"(q) : : "memory");
    return q;
}

static quad quad_of(uint64_t reg, bool is_single) { return is_single ? (quad)get_s(reg) : (quad)double_of(reg); }

/* Computes with truncation and sets the last bit if the result is inexact. */
static rv_u128 jam(quad x, quad y, quad z, char operator)
{
    fp_host_clear();
    fp_host_set_mode(FP_RTZ);
    x = pin(x), y = pin(y), z = pin(z);
    quad r = operator== '+' ? x + y : operator== '*' ? x * y : operator== '/' ? x / y : x * y + z;
    r = pin(r);
    rv_u128 bits = bits_of_quad(r) | (fp_host_flags() & FP_NX);
    fp_host_set_mode(FP_RNE);
    fp_host_clear();
    return bits;
}

/* |value| / 2^shift, rounded to nearest, ties up. */
static uint64_t round_up_ties(rv_u128 value, unsigned shift, bool *inexact)
{
    if (shift > 127)
        shift = 127;
    rv_u128 half = (rv_u128)1 << (shift - 1), rest = value & (2 * half - 1);
    *inexact = rest != 0;
    return (uint64_t)(value >> shift) + (rest >= half);
}

static uint64_t round_quad(rv_u128 bits, const struct fp_target *t, uint32_t *fcsr)
{
    uint64_t sign = bits >> 127 ? t->sign : 0;
    int exponent = (int)(bits >> QUAD_FRACTION_BITS & 0x7fff) - QUAD_BIAS;
    rv_u128 significand = (bits & (((rv_u128)1 << QUAD_FRACTION_BITS) - 1)) | (rv_u128)1 << QUAD_FRACTION_BITS;
    int min_exponent = 1 - t->bias, drop = QUAD_FRACTION_BITS + 1 - t->precision_bits;
    bool inexact, inexact_unbounded;
    int extra = exponent < min_exponent ? min_exponent - exponent : 0;
    /* Tininess is detected after rounding with an unbounded exponent. */
    uint64_t unbounded = round_up_ties(significand, (unsigned)drop, &inexact_unbounded);
    bool tiny = exponent + (int)(unbounded >> t->precision_bits) < min_exponent;
    uint64_t rounded = round_up_ties(significand, (unsigned)(drop + extra), &inexact);
    uint64_t biased = (uint64_t)(extra > 0 ? 0 : exponent + t->bias - 1);
    uint64_t result = (biased << (t->precision_bits - 1)) + rounded; /* the hidden bit increments the exponent */
    if (exponent > t->bias || result >= t->infinity) {
        *fcsr |= FP_OF | FP_NX;
        return sign | t->infinity;
    }
    if (inexact)
        *fcsr |= FP_NX | (tiny ? FP_UF : 0);
    return sign | result;
}

/* Converts a conversion's operand, which is exact in binary128; returns false for other operations. */
static bool convert(enum rv_op op, uint64_t a, quad *v)
{
    switch (op) {
    case RV_FCVT_S_W:
    case RV_FCVT_D_W:
        *v = (quad)(int32_t)(uint32_t)a;
        return true;
    case RV_FCVT_S_WU:
    case RV_FCVT_D_WU:
        *v = (quad)(uint32_t)a;
        return true;
    case RV_FCVT_S_L:
    case RV_FCVT_D_L:
        *v = (quad)(int64_t)a;
        return true;
    case RV_FCVT_S_LU:
    case RV_FCVT_D_LU:
        *v = (quad)a;
        return true;
    case RV_FCVT_S_D:
        *v = quad_of(a, false);
        return true;
    default:
        return false;
    }
}

static rv_u128 exact_or_odd(enum rv_op op, uint64_t a, uint64_t b, uint64_t c)
{
    bool is_single = op == RV_FADD_S || op == RV_FSUB_S || op == RV_FMUL_S || op == RV_FDIV_S || op == RV_FMADD_S ||
                     op == RV_FMSUB_S || op == RV_FNMADD_S || op == RV_FNMSUB_S;
    quad x, y, z;
    if (convert(op, a, &x))
        return bits_of_quad(x);
    x = quad_of(a, is_single), y = quad_of(b, is_single), z = quad_of(c, is_single);
    switch (op) {
    case RV_FADD_S:
    case RV_FADD_D:
        return jam(x, y, 0, '+');
    case RV_FSUB_S:
    case RV_FSUB_D:
        return jam(x, -y, 0, '+');
    case RV_FMUL_S:
    case RV_FMUL_D:
        return jam(x, y, 0, '*');
    case RV_FDIV_S:
    case RV_FDIV_D:
        return jam(x, y, 0, '/');
    case RV_FMADD_S:
    case RV_FMADD_D:
        return jam(x, y, z, 'f');
    case RV_FMSUB_S:
    case RV_FMSUB_D:
        return jam(x, y, -z, 'f');
    case RV_FNMSUB_S:
    case RV_FNMSUB_D:
        return jam(-x, y, z, 'f');
    case RV_FNMADD_S:
    case RV_FNMADD_D:
        return jam(-x, y, -z, 'f');
    default:
        BUG("rounding mode of %s", rv_op_name(op));
    }
}

uint64_t fp_round_rmm(enum rv_op op, uint64_t a, uint64_t b, uint64_t c, uint64_t nearest_even, uint32_t *flags)
{
    /* A square root is never a tie, because its square would need more bits than the operand has. */
    if (!(*flags & FP_NX) || op == RV_FSQRT_S || op == RV_FSQRT_D)
        return nearest_even;
    bool to_single = (rv_rows[op].match >> 25 & 3) == 0;
    *flags = 0;
    uint64_t rounded = round_quad(exact_or_odd(op, a, b, c), to_single ? &single_target : &double_target, flags);
    return to_single ? box((uint32_t)rounded) : rounded;
}

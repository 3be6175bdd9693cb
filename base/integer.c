/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluation of one operator. Arithmetic is done on exact integers of 128 bits, and the result compared with the range
 * of its type. Entry points: integer_parse, integer_unary, integer_binary. */
#include "base/integer.h"

#include <ctype.h>
#include <string.h>

/* Any result of +, -, / and % of two numbers of 64 bits, and of a shift by up to 63; products may exceed it. */
__extension__ typedef __int128 exact;

enum { DIGITS_SHOWN = 40 };

#define LEAST_TEXT "-9223372036854775808"
#define MOST_TEXT "9223372036854775807"
#define MOST_PATTERN_TEXT "18446744073709551615"

const struct integer_op_row integer_ops[INTEGER_BINARIES] = {
#define INTEGER_BINARY(symbol, text, level) [INTEGER_##symbol] = {text, level},
#include "base/integer.def"
};

const char *integer_show(char text[INTEGER_SHOWN], struct integer x)
{
    snprintf(text, INTEGER_SHOWN, x.kind == INTEGER_UNSIGNED && x.bits >> 63 != 0 ? "0x%llx" : "%lld",
             (long long)x.bits);
    return text;
}

/* ---- constants ---- */

static int digit_value(char c)
{
    if (isdigit((unsigned char)c))
        return c - '0';
    return isalpha((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 99;
}

/* The base that the prefix of a constant names, and its length; 0: a leading zero without a base. */
static unsigned base_of(const char *text, size_t length, size_t *prefix)
{
    *prefix = 0;
    if (length < 2 || text[0] != '0')
        return 10;
    *prefix = 2;
    switch (text[1]) {
    case 'x':
    case 'X':
        return 16;
    case 'o':
    case 'O':
        return 8;
    case 'b':
    case 'B':
        return 2;
    default:
        return 0;
    }
}

static enum status fail_large(const char *text, size_t length, unsigned base, uint64_t bits, bool fits,
                              struct errmsg *err)
{
    int n = length > DIGITS_SHOWN ? DIGITS_SHOWN : (int)length;
    if (base != 10 || !fits)
        return fail(err, ST_RANGE, "the number %.*s does not fit in 64 bits", n, text);
    return fail(err, ST_RANGE,
                "the number %.*s is above " MOST_TEXT "; expected hexadecimal for a pattern of 64 bits: 0x%llx", n,
                text, (unsigned long long)bits);
}

enum status integer_parse(const char *text, size_t length, struct integer *out, struct errmsg *err)
{
    size_t at;
    const unsigned base = base_of(text, length, &at);
    uint64_t v = 0;
    bool fits = true;
    if (base == 0)
        return fail(err, ST_INPUT, "a number with a leading 0: write 0o for octal, or leave the 0 out");
    bool good = at < length;
    for (; at < length && good; at++) {
        unsigned digit = (unsigned)digit_value(text[at]);
        good = digit < base;
        fits = fits && !__builtin_mul_overflow(v, base, &v) && !__builtin_add_overflow(v, digit, &v);
    }
    if (!good)
        return fail(err, ST_INPUT, "'%.*s' is not a number of base %u", length > 64 ? 64 : (int)length, text, base);
    bool large = v >> 63 != 0, magnitude = v == UINT64_C(1) << 63 && base == 10;
    if (!fits || (large && base == 10 && !magnitude))
        return fail_large(text, length, base, v, fits, err);
    *out = (struct integer){v, magnitude ? INTEGER_MAGNITUDE : large ? INTEGER_UNSIGNED : INTEGER_SIGNED};
    return ST_OK;
}

enum status integer_operand(struct integer x, struct errmsg *err)
{
    static const char decimal[] = "9223372036854775808";
    return x.kind != INTEGER_MAGNITUDE ? ST_OK : fail_large(decimal, sizeof decimal - 1, 10, x.bits, true, err);
}

static uint64_t take_unit(const char *text, size_t *length)
{
    static const struct {
        char suffix;
        uint64_t times;
    } units[] = {{'k', 1000}, {'M', 1000000}, {'G', 1000000000}};
    for (size_t i = 0; i < sizeof units / sizeof units[0] && *length > 1; i++)
        if (text[*length - 1] == units[i].suffix) {
            --*length;
            return units[i].times;
        }
    return 1;
}

enum status integer_parse_argument(const char *text, struct integer *out, struct errmsg *err)
{
    struct integer_error wrong;
    const bool minus = text[0] == '-';
    const char *digits = text + minus;
    size_t length = strlen(digits);
    const uint64_t times = take_unit(digits, &length);
    if (!isdigit((unsigned char)digits[0]))
        return fail(err, ST_INPUT, "expected a number, found '%.64s'", text);
    enum status st = integer_parse(digits, length, out, err);
    if (st == ST_RANGE && minus)
        return fail(err, st, "the number %.64s is below " LEAST_TEXT, text);
    if (st == ST_OK && !minus)
        st = integer_operand(*out, err);
    if (st != ST_OK)
        return st;
    if (minus)
        st = integer_unary(INTEGER_MINUS, *out, out, &wrong);
    if (st == ST_OK && times != 1)
        st = integer_binary(INTEGER_MUL, *out, integer_of(times), out, &wrong);
    return st == ST_OK ? ST_OK : fail(err, st, "%s", wrong.message.text);
}

/* ---- operators ---- */

static exact integer_exact_of(struct integer x)
{
    return x.kind == INTEGER_UNSIGNED ? (exact)x.bits : (exact)(int64_t)x.bits;
}

/* The result of an operation: unsigned if an operand is, whatever its value. */
static struct integer result_of(uint64_t bits, bool is_unsigned)
{
    return (struct integer){bits, is_unsigned ? INTEGER_UNSIGNED : INTEGER_SIGNED};
}

static enum status fail_overflow(const char *text, bool is_unsigned, bool is_bit, struct integer_error *err)
{
    return fail(&err->message, ST_RANGE, "overflow: %s is outside of %s%s", text,
                is_unsigned ? "0 to " MOST_PATTERN_TEXT : LEAST_TEXT " to " MOST_TEXT,
                is_bit ? "; expected hexadecimal for bit 63: 0x8000000000000000" : "");
}

static enum status fail_binary(enum integer_op op, struct integer x, struct integer y, struct integer_error *err)
{
    char a[INTEGER_SHOWN], b[INTEGER_SHOWN], text[2 * INTEGER_SHOWN + 8];
    const bool is_bit = op == INTEGER_SHL && x.bits == 1 && y.bits == 63;
    snprintf(text, sizeof text, "%s %s %s", integer_show(a, x), integer_ops[op].text, integer_show(b, y));
    return fail_overflow(text, x.kind == INTEGER_UNSIGNED || y.kind == INTEGER_UNSIGNED, is_bit, err);
}

enum status integer_unary(enum integer_op op, struct integer x, struct integer *out, struct integer_error *err)
{
    const bool is_unsigned = x.kind == INTEGER_UNSIGNED;
    char shown[INTEGER_SHOWN];
    err->is_right_operand = false;
    switch (op) {
    case INTEGER_MINUS:
        if (is_unsigned)
            return fail(&err->message, ST_RANGE,
                        "-%s is ambiguous: the operand is unsigned, and C would negate it modulo 2^64",
                        integer_show(shown, x));
        if (x.kind == INTEGER_SIGNED && x.bits == UINT64_C(1) << 63)
            return fail_overflow("-(" LEAST_TEXT ")", false, false, err);
        *out = integer_of(0 - x.bits);
        return ST_OK;
    case INTEGER_INVERT:
        *out = result_of(~x.bits, is_unsigned);
        return ST_OK;
    case INTEGER_NOT:
        *out = integer_of(x.bits == 0);
        return ST_OK;
    default:
        *out = x;
        return ST_OK;
    }
}

static enum status fail_mixed(enum integer_op op, struct integer x, struct integer y, struct integer_error *err)
{
    char a[INTEGER_SHOWN], b[INTEGER_SHOWN];
    const struct integer negative = integer_is_negative(x) ? x : y;
    char c[INTEGER_SHOWN];
    return fail(&err->message, ST_RANGE,
                "%s %s %s is ambiguous: one operand is unsigned and one negative, and C would convert %s to %llu",
                integer_show(a, x), integer_ops[op].text, integer_show(b, y), integer_show(c, negative),
                (unsigned long long)negative.bits);
}

/* Reports operands for which the operator has no result: those of / and % and of shifts. */
static enum status check_right(enum integer_op op, struct integer y, struct integer_error *err)
{
    char shown[INTEGER_SHOWN];
    err->is_right_operand = true;
    if ((op == INTEGER_DIV || op == INTEGER_REM) && y.bits == 0)
        return fail(&err->message, ST_RANGE, "division by zero");
    if ((op == INTEGER_SHL || op == INTEGER_SHR) && y.bits >= 64)
        return fail(&err->message, ST_RANGE, "a shift by %s bits, expected 0 to 63", integer_show(shown, y));
    err->is_right_operand = false;
    return ST_OK;
}

/* The arithmetic operators on exact integers; false if the product exceeds even those. */
static bool integer_compute(enum integer_op op, exact x, exact y, exact *out)
{
    switch (op) {
    case INTEGER_ADD:
        *out = x + y;
        return true;
    case INTEGER_SUB:
        *out = x - y;
        return true;
    case INTEGER_MUL:
        return !__builtin_mul_overflow(x, y, out);
    case INTEGER_DIV:
        *out = x / y;
        return true;
    case INTEGER_REM:
        *out = x % y;
        return true;
    case INTEGER_SHL:
        *out = x * ((exact)1 << y);
        return true;
    default: /* >> of a negative number rounds down */
        *out = x >= 0 ? x >> y : -((-x - 1) >> y) - 1;
        return true;
    }
}

static enum status arithmetic(enum integer_op op, struct integer x, struct integer y, struct integer *out,
                              struct integer_error *err)
{
    const bool is_shift = op == INTEGER_SHL || op == INTEGER_SHR;
    const bool is_unsigned = x.kind == INTEGER_UNSIGNED || (y.kind == INTEGER_UNSIGNED && !is_shift);
    exact r = 0;
    enum status st = check_right(op, y, err);
    if (st != ST_OK)
        return st;
    if (is_unsigned && (integer_is_negative(x) || integer_is_negative(y)))
        return fail_mixed(op, x, y, err);
    const bool fits = integer_compute(op, integer_exact_of(x), integer_exact_of(y), &r) &&
                      (is_unsigned ? r >= 0 && r <= UINT64_MAX : r >= INT64_MIN && r <= INT64_MAX);
    /* C derives % from /, so it has no result either where the quotient overflows. */
    const bool has_quotient = op != INTEGER_REM || integer_exact_of(x) != INT64_MIN || integer_exact_of(y) != -1;
    if (!fits || !has_quotient)
        return fail_binary(op, x, y, err);
    *out = result_of((uint64_t)r, is_unsigned);
    return ST_OK;
}

static enum status integer_compare(enum integer_op op, struct integer x, struct integer y, struct integer *out,
                                   struct integer_error *err)
{
    const bool is_unsigned = x.kind == INTEGER_UNSIGNED || y.kind == INTEGER_UNSIGNED;
    const exact a = integer_exact_of(x), b = integer_exact_of(y);
    if (is_unsigned && (integer_is_negative(x) || integer_is_negative(y)))
        return fail_mixed(op, x, y, err);
    *out = integer_of(op == INTEGER_LT ? a < b : op == INTEGER_LE ? a <= b : op == INTEGER_GT ? a > b : a >= b);
    return ST_OK;
}

enum status integer_binary(enum integer_op op, struct integer x, struct integer y, struct integer *out,
                           struct integer_error *err)
{
    const bool is_unsigned = x.kind == INTEGER_UNSIGNED || y.kind == INTEGER_UNSIGNED;
    err->is_right_operand = false;
    switch (op) {
    case INTEGER_EITHER:
        *out = integer_of(x.bits != 0 || y.bits != 0);
        return ST_OK;
    case INTEGER_BOTH:
        *out = integer_of(x.bits != 0 && y.bits != 0);
        return ST_OK;
    case INTEGER_OR:
        *out = result_of(x.bits | y.bits, is_unsigned);
        return ST_OK;
    case INTEGER_XOR:
        *out = result_of(x.bits ^ y.bits, is_unsigned);
        return ST_OK;
    case INTEGER_AND:
        *out = result_of(x.bits & y.bits, is_unsigned);
        return ST_OK;
    case INTEGER_EQ:
        *out = integer_of(x.bits == y.bits);
        return ST_OK;
    case INTEGER_NE:
        *out = integer_of(x.bits != y.bits);
        return ST_OK;
    case INTEGER_LT:
    case INTEGER_LE:
    case INTEGER_GT:
    case INTEGER_GE:
        return integer_compare(op, x, y, out, err);
    default:
        return arithmetic(op, x, y, out, err);
    }
}

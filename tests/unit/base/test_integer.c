/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operators on integers: results beside those that C's compiler computes, and each case without a result. */
#include "base/integer.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/suite.h"

#define LEAST INT64_MIN
#define MOST INT64_MAX

static const int64_t samples[] = {0,  1,  -1,      2,          -2,   3,        -3,    7,        -8,
                                  63, 64, 1 << 20, -(1 << 20), MOST, MOST - 1, LEAST, LEAST + 1};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

/* The result that C defines, by the compiler's own detection of overflow; false where C has none. */
static bool defined(enum integer_op op, int64_t x, int64_t y, int64_t *out)
{
    const bool divides = y != 0 && !(x == LEAST && y == -1), shifts = y >= 0 && y < 64;
    switch (op) {
    case INTEGER_ADD:
        return !__builtin_add_overflow(x, y, out);
    case INTEGER_SUB:
        return !__builtin_sub_overflow(x, y, out);
    case INTEGER_MUL:
        return !__builtin_mul_overflow(x, y, out);
    case INTEGER_DIV:
        *out = divides ? x / y : 0;
        return divides;
    case INTEGER_REM:
        *out = divides ? x % y : 0;
        return divides;
    case INTEGER_SHL:
        *out = shifts ? (int64_t)((uint64_t)x << y) : 0;
        return shifts && *out >> y == x;
    case INTEGER_SHR:
        *out = shifts ? x >> y : 0;
        return shifts;
    case INTEGER_LT:
        *out = x < y;
        return true;
    case INTEGER_LE:
        *out = x <= y;
        return true;
    case INTEGER_GT:
        *out = x > y;
        return true;
    case INTEGER_GE:
        *out = x >= y;
        return true;
    case INTEGER_EQ:
        *out = x == y;
        return true;
    case INTEGER_NE:
        *out = x != y;
        return true;
    case INTEGER_AND:
        *out = x & y;
        return true;
    case INTEGER_OR:
        *out = x | y;
        return true;
    case INTEGER_XOR:
        *out = x ^ y;
        return true;
    case INTEGER_BOTH:
        *out = x && y;
        return true;
    default:
        *out = x || y;
        return true;
    }
}

START_TEST(signed_results_are_those_of_c)
{
    const enum integer_op op = (enum integer_op)_i;
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        const int64_t x = samples[i / SAMPLES], y = samples[i % SAMPLES];
        struct integer_error why = {.message = {""}};
        struct integer found = integer_of(0);
        int64_t expected;
        const bool is_defined = defined(op, x, y, &expected);
        const enum status st = integer_binary(op, integer_of((uint64_t)x), integer_of((uint64_t)y), &found, &why);
        ck_assert_msg((st == ST_OK) == is_defined, "%lld %s %lld: %s", (long long)x, integer_ops[op].text, (long long)y,
                      why.message.text);
        if (is_defined)
            ck_assert_msg(found.kind == INTEGER_SIGNED && found.bits == (uint64_t)expected, "%lld %s %lld is %lld",
                          (long long)x, integer_ops[op].text, (long long)y, (long long)found.bits);
        else
            ck_assert_str_ne(why.message.text, "");
    }
}
END_TEST

/* A parser that takes the first row that fits takes the longest operator. */
START_TEST(an_operator_is_before_its_prefixes)
{
    for (int i = 0; i < _i; i++)
        ck_assert_msg(strncmp(integer_ops[_i].text, integer_ops[i].text, strlen(integer_ops[i].text)) != 0,
                      "%s is behind %s", integer_ops[_i].text, integer_ops[i].text);
    ck_assert_int_lt(integer_ops[_i].level, INTEGER_LEVELS);
}
END_TEST

static struct integer constant(const char *text)
{
    struct integer x = integer_of(0);
    struct errmsg err = {""};
    ck_assert_msg(integer_parse_argument(text, &x, &err) == ST_OK, "%s", err.text);
    return x;
}

/* Operations with a pattern. `result` begins with ! where it is a part of the message. */
static const struct {
    const char *x;
    enum integer_op op;
    const char *y, *result;
} patterns[] = {
    {"0xffffffffffffffff", INTEGER_SHR, "63", "1"},
    {"0xffffffffffffffff", INTEGER_DIV, "3", "0x5555555555555555"},
    {"0xffffffffffffffff", INTEGER_REM, "0x8000000000000000", "0x7fffffffffffffff"},
    {"0x8000000000000000", INTEGER_SUB, "1", "0x7fffffffffffffff"},
    {"0x8000000000000000", INTEGER_ADD, "0x7fffffffffffffff", "0xffffffffffffffff"},
    {"0x8000000000000000", INTEGER_GT, "0x7fffffffffffffff", "1"},
    {"0xffffffffffffffff", INTEGER_EQ, "-1", "1"},
    {"0xfffffffffffffff0", INTEGER_AND, "-8", "0xfffffffffffffff0"},
    {"1", INTEGER_OR, "0x8000000000000000", "0x8000000000000001"},
    {"0xffffffffffffffff", INTEGER_ADD, "1", "!outside of 0 to 18446744073709551615"},
    {"1", INTEGER_SUB, "0x8000000000000000", "!outside of 0 to"},
    {"0xffffffffffffffff", INTEGER_MUL, "0xffffffffffffffff", "!outside of 0 to"},
    {"0x8000000000000000", INTEGER_SHL, "1", "!outside of 0 to"},
    {"-1", INTEGER_LT, "0xffffffffffffffff", "!is ambiguous"},
    {"0xffffffffffffffff", INTEGER_GE, "-1", "!would convert -1 to 18446744073709551615"},
    {"-1", INTEGER_ADD, "0x8000000000000000", "!is ambiguous"},
    {"0x8000000000000000", INTEGER_DIV, "-1", "!is ambiguous"},
    {"1", INTEGER_SHL, "0x8000000000000000", "!expected 0 to 63"},
};

START_TEST(patterns_are_unsigned)
{
    struct integer_error why = {.message = {""}};
    const char *expected = patterns[_i].result;
    struct integer found;
    enum status st = integer_binary(patterns[_i].op, constant(patterns[_i].x), constant(patterns[_i].y), &found, &why);
    if (expected[0] == '!') {
        ck_assert_int_eq(st, ST_RANGE);
        ck_assert_msg(strstr(why.message.text, expected + 1) != NULL, "%s", why.message.text);
        return;
    }
    ck_assert_msg(st == ST_OK, "%s", why.message.text);
    const int level = integer_ops[patterns[_i].op].level;
    ck_assert_uint_eq(found.bits, constant(expected).bits);
    ck_assert_int_eq(found.kind, level == 5 || level == 6 ? INTEGER_SIGNED : INTEGER_UNSIGNED);
}
END_TEST

/* x OP y is less than 2^63, and unsigned beside a third number. */
static const struct {
    const char *x;
    enum integer_op op;
    const char *y;
    enum integer_op next;
    const char *z, *result;
} small[] = {
    {"0x8000000000000000", INTEGER_SHR, "1", INTEGER_GT, "-1", "!4611686018427387904 > -1 is ambiguous"},
    {"0xffffffffffffffff", INTEGER_SUB, "0xffffffffffffffff", INTEGER_SUB, "1", "!outside of 0 to"},
    {"0xffffffffffffffff", INTEGER_AND, "1", INTEGER_SUB, "2", "!outside of 0 to"},
    {"0xffffffffffffffff", INTEGER_XOR, "-1", INTEGER_ADD, "-1", "!is ambiguous"},
    {"0xffffffffffffffff", INTEGER_REM, "0x8000000000000000", INTEGER_ADD, "1", "0x8000000000000000"},
    {"0xffffffffffffffff", INTEGER_DIV, "0xffffffffffffffff", INTEGER_SHL, "63", "0x8000000000000000"},
    {"0xffffffffffffffff", INTEGER_EQ, "0xffffffffffffffff", INTEGER_GT, "-1", "1"},
    {"0x8000000000000000", INTEGER_GT, "1", INTEGER_SUB, "2", "-1"},
    {"1", INTEGER_SHL, "62", INTEGER_GT, "-1", "1"},
};

START_TEST(small_results_are_unsigned)
{
    struct integer_error why = {.message = {""}};
    const char *expected = small[_i].result;
    struct integer found;
    ck_assert_int_eq(integer_binary(small[_i].op, constant(small[_i].x), constant(small[_i].y), &found, &why), ST_OK);
    ck_assert_uint_eq(found.bits >> 63, 0);
    enum status st = integer_binary(small[_i].next, found, constant(small[_i].z), &found, &why);
    if (expected[0] == '!')
        ck_assert_msg(st == ST_RANGE && strstr(why.message.text, expected + 1) != NULL, "%s", why.message.text);
    else
        ck_assert_msg(st == ST_OK && found.bits == constant(expected).bits, "%s", why.message.text);
}
END_TEST

START_TEST(unary_operators)
{
    struct integer_error why;
    struct integer x;
    ck_assert_int_eq(integer_unary(INTEGER_MINUS, integer_of(5), &x, &why), ST_OK);
    ck_assert(integer_is_negative(x) && x.bits == (uint64_t)-5);
    ck_assert_int_eq(integer_unary(INTEGER_MINUS, integer_of((uint64_t)LEAST), &x, &why), ST_RANGE);
    ck_assert_int_eq(integer_unary(INTEGER_MINUS, constant("0x8000000000000000"), &x, &why), ST_RANGE);
    ck_assert_int_eq(integer_unary(INTEGER_INVERT, integer_of(0), &x, &why), ST_OK);
    ck_assert(integer_is_negative(x) && x.bits == UINT64_MAX);
    ck_assert_int_eq(integer_unary(INTEGER_INVERT, constant("0x8000000000000000"), &x, &why), ST_OK);
    ck_assert_uint_eq(x.bits, MOST);
    ck_assert_int_eq(x.kind, INTEGER_UNSIGNED);
    ck_assert_int_eq(integer_unary(INTEGER_MINUS, x, &x, &why), ST_RANGE);
    ck_assert_int_eq(integer_unary(INTEGER_NOT, constant("0x8000000000000000"), &x, &why), ST_OK);
    ck_assert_uint_eq(x.bits, 0);
}
END_TEST

static const struct {
    const char *text;
    enum status st;
    uint64_t bits;
} arguments[] = {
    {"0", ST_OK, 0},
    {"0x1F", ST_OK, 31},
    {"0o17", ST_OK, 15},
    {"0b101", ST_OK, 5},
    {"3k", ST_OK, 3000},
    {"-2M", ST_OK, (uint64_t)-2000000},
    {"9223372036854775807", ST_OK, MOST},
    {"-9223372036854775808", ST_OK, (uint64_t)LEAST},
    {"0xffffffffffffffff", ST_OK, UINT64_MAX},
    {"9223372036854775808", ST_RANGE, 0},
    {"18446744073709551615", ST_RANGE, 0},
    {"-9223372036854775809", ST_RANGE, 0},
    {"-0xffffffffffffffff", ST_RANGE, 0},
    {"0x10000000000000000", ST_RANGE, 0},
    {"10000000000G", ST_RANGE, 0},
    {"010", ST_INPUT, 0},
    {"0x", ST_INPUT, 0},
    {"1_0", ST_INPUT, 0},
    {"0b12", ST_INPUT, 0},
    {"", ST_INPUT, 0},
    {"k", ST_INPUT, 0},
    {"--1", ST_INPUT, 0},
    {"+1", ST_INPUT, 0},
    {" 1", ST_INPUT, 0},
    {"1 ", ST_INPUT, 0},
};

START_TEST(arguments_are_constants)
{
    struct errmsg err = {""};
    struct integer x = integer_of(0);
    ck_assert_msg(integer_parse_argument(arguments[_i].text, &x, &err) == arguments[_i].st, "'%s': %s",
                  arguments[_i].text, err.text);
    if (arguments[_i].st == ST_OK)
        ck_assert_uint_eq(x.bits, arguments[_i].bits);
    else
        ck_assert_str_ne(err.text, "");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("integer");
    TCase *t = tcase_create("integer");
    tcase_add_loop_test(t, signed_results_are_those_of_c, 0, INTEGER_BINARIES);
    tcase_add_loop_test(t, an_operator_is_before_its_prefixes, 0, INTEGER_BINARIES);
    tcase_add_loop_test(t, patterns_are_unsigned, 0, sizeof patterns / sizeof patterns[0]);
    tcase_add_loop_test(t, small_results_are_unsigned, 0, sizeof small / sizeof small[0]);
    tcase_add_test(t, unary_operators);
    tcase_add_loop_test(t, arguments_are_constants, 0, sizeof arguments / sizeof arguments[0]);
    suite_add_tcase(s, t);
    return run_suite(s);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integers of expressions, and C's operators on them: the one evaluator of the assembler and of the debugger.
 *
 * Numbers are signed, of 64 bits. A result outside of that range is an error, as is everything for which C has no
 * defined result. Numbers from 2^63 to 2^64 - 1 exist as bit patterns, which only constants in base 16, 8 and 2
 * denote: they are C's unsigned constants. An operation on an unsigned number is unsigned, as is its result, however
 * small; it is an error outside of 0 to 2^64 - 1. Order, == and the logical operators have signed results. With a
 * negative operand beside it C would convert that silently, so arithmetic and order are an error; the operators on
 * bits, == and != depend on the bits alone and have a result.
 *
 * Counts in options of the tools are no expressions and have a grammar of their own (base/number.h). */
#ifndef BASE_INTEGER_H
#define BASE_INTEGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum integer_kind {
    INTEGER_SIGNED,
    INTEGER_UNSIGNED,  /* a constant of 2^63 or more, or a result of an operation on an unsigned number */
    INTEGER_MAGNITUDE, /* the decimal constant 2^63, which only a unary minus makes a number (integer_operand) */
};

struct integer {
    uint64_t bits; /* two's complement */
    enum integer_kind kind;
};

enum integer_op {
#define INTEGER_BINARY(symbol, text, level) INTEGER_##symbol,
#include "base/integer.def"
    INTEGER_BINARIES,
    INTEGER_PLUS = INTEGER_BINARIES, /* the unary operators */
    INTEGER_MINUS,
    INTEGER_INVERT,
    INTEGER_NOT,
};
/* Levels of precedence: the size of a union is that of its largest member, one byte for each level up to its own. */
enum {
    INTEGER_LEVELS = sizeof(union {
#define INTEGER_BINARY(symbol, text, level) char of_##symbol[(level) + 1];
#include "base/integer.def"
    })
};

struct integer_op_row {
    const char *text;
    int level;
};
extern const struct integer_op_row integer_ops[INTEGER_BINARIES];

/* A failed operation; the location is that of the whole expression, or of its right operand. */
struct integer_error {
    bool is_right_operand;
    struct errmsg message;
};

static inline struct integer integer_of(uint64_t bits) { return (struct integer){bits, INTEGER_SIGNED}; }
static inline struct integer integer_of_unsigned(uint64_t v)
{
    return (struct integer){v, v >> 63 != 0 ? INTEGER_UNSIGNED : INTEGER_SIGNED};
}
static inline bool integer_is_negative(struct integer x) { return x.kind == INTEGER_SIGNED && x.bits >> 63 != 0; }

/* Parses a constant of expressions, all `length` bytes: decimal, or 0x, 0o, 0b and digits. ST_INPUT and a message if it
 * is none, ST_RANGE if it exceeds 2^64 - 1, or 2^63 in decimal. */
enum status integer_parse(const char *text, size_t length, struct integer *out, struct errmsg *err) MUST_USE;
/* Parses the number of an argument: a constant as above with an optional minus before it, or with a suffix k, M or G
 * (10^3, 10^6, 10^9). */
enum status integer_parse_argument(const char *text, struct integer *out, struct errmsg *err) MUST_USE;

/* ST_RANGE and a message if the constant stands where it has no value: a magnitude without its minus. */
enum status integer_operand(struct integer x, struct errmsg *err) MUST_USE;
enum status integer_unary(enum integer_op op, struct integer x, struct integer *out,
                          struct integer_error *err) MUST_USE;
/* && and || are evaluated like the others: the caller leaves out a right operand that does not matter. */
enum status integer_binary(enum integer_op op, struct integer x, struct integer y, struct integer *out,
                           struct integer_error *err) MUST_USE;

/* Formats the number as decimal; from 2^63 on as hexadecimal. Returns `text`. */
enum { INTEGER_SHOWN = 24 };
const char *integer_show(char text[INTEGER_SHOWN], struct integer x);

#endif

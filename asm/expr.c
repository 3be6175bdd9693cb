/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assembly-time expressions: C's operators on unsigned 64-bit numbers. Entry points: expr_eval, expr_eval_range. */
#include "asm/program.h"

static bool power_log2(struct program *p, const struct expr *e, uint64_t v, uint64_t *out)
{
    if (v == 0 || (v & (v - 1)) != 0) {
        diag_error(p->diag, e->loc, "log2 of %llu, which is not a power of two", (unsigned long long)v);
        return false;
    }
    *out = (uint64_t)__builtin_ctzll(v);
    return true;
}

static bool eval_call(struct program *p, const struct expr *e, uint64_t *out)
{
    uint64_t v;
    if (strcmp(e->name, "log2") != 0) {
        diag_error(p->diag, e->loc, "unknown function '%.64s': there is log2", e->name);
        return false;
    }
    return expr_eval(p, e->arg[0], &v) && power_log2(p, e, v, out);
}

static bool eval_symbol(struct program *p, const struct expr *e, uint64_t *out)
{
    const struct symbol *s = symtab_find(&p->equs, e->name);
    if (s != NULL) {
        *out = s->value;
        return !s->is_bad;
    }
    if (name_find_param(p, e->name) >= 0) {
        diag_error(
            p->diag, e->loc,
            "'%.64s' is a parameter: its value is not known at assembly time; expected a number that .equ declares, or "
            "the parameter alone as the value of a sampler's option",
            e->name);
        return false;
    }
    const char *nearest = diag_is_full(p->diag) ? NULL : symtab_nearest(&p->equs, e->name);
    diag_error(p->diag, e->loc, "'%.64s' is not defined%s", e->name,
               nearest != NULL ? name_hint(p, nearest) : ": .equ must come before its use");
    return false;
}

static uint64_t unary_value(enum expr_op op, uint64_t x)
{
    switch (op) {
    case OP_MINUS:
        return -x;
    case OP_INVERT:
        return ~x;
    case OP_NOT:
        return !x;
    default:
        return x;
    }
}

static bool divide(struct program *p, const struct expr *e, uint64_t x, uint64_t y, uint64_t *out)
{
    if (y == 0) {
        diag_error(p->diag, e->arg[1]->loc, "division by zero");
        return false;
    }
    *out = e->op == OP_DIV ? x / y : x % y;
    return true;
}

/* Evaluates the operators of the table. A shift by 64 or more yields 0. */
static uint64_t binary_value(enum expr_op op, uint64_t x, uint64_t y)
{
    switch (op) {
    case OP_MUL:
        return x * y;
    case OP_ADD:
        return x + y;
    case OP_SUB:
        return x - y;
    case OP_SHL:
        return y < 64 ? x << y : 0;
    case OP_SHR:
        return y < 64 ? x >> y : 0;
    case OP_LT:
        return x < y;
    case OP_LE:
        return x <= y;
    case OP_GT:
        return x > y;
    case OP_GE:
        return x >= y;
    case OP_EQ:
        return x == y;
    case OP_NE:
        return x != y;
    case OP_AND:
        return x & y;
    case OP_XOR:
        return x ^ y;
    default:
        return x | y;
    }
}

static bool eval_binary(struct program *p, const struct expr *e, uint64_t *out)
{
    uint64_t x, y;
    if (!expr_eval(p, e->arg[0], &x))
        return false;
    if ((e->op == OP_BOTH && !x) || (e->op == OP_EITHER && x)) {
        *out = x != 0;
        return true;
    }
    if (!expr_eval(p, e->arg[1], &y))
        return false;
    if (e->op == OP_DIV || e->op == OP_REM)
        return divide(p, e, x, y, out);
    *out = e->op == OP_BOTH || e->op == OP_EITHER ? y != 0 : binary_value(e->op, x, y);
    return true;
}

bool expr_eval(struct program *p, const struct expr *e, uint64_t *out)
{
    uint64_t x;
    if (e->depth > EXPR_MAX_DEPTH) {
        diag_error(p->diag, e->loc, "an expression with more than %d operators within each other", EXPR_MAX_DEPTH);
        return false;
    }
    switch (e->kind) {
    case EXPR_NUMBER:
        *out = e->value;
        return true;
    case EXPR_SYMBOL:
        return eval_symbol(p, e, out);
    case EXPR_CALL:
        return eval_call(p, e, out);
    case EXPR_UNARY:
        if (!expr_eval(p, e->arg[0], &x))
            return false;
        *out = unary_value(e->op, x);
        return true;
    case EXPR_BINARY:
        return eval_binary(p, e, out);
    case EXPR_CHOICE:
        return expr_eval(p, e->arg[0], &x) && expr_eval(p, e->arg[x ? 1 : 2], out);
    }
    BUG("expression kind %d", e->kind);
}

const char *expr_show(char text[EXPR_SHOWN], uint64_t v)
{
    if (v >> 63)
        snprintf(text, EXPR_SHOWN, "%lld (without a sign %llu)", (long long)v, (unsigned long long)v);
    else
        snprintf(text, EXPR_SHOWN, "%llu", (unsigned long long)v);
    return text;
}

bool expr_eval_range(struct program *p, const struct expr *e, uint64_t min, uint64_t max, const char *what,
                     uint64_t *out)
{
    uint64_t v;
    if (!expr_eval(p, e, &v))
        return false;
    if (v < min || v > max) {
        char found[EXPR_SHOWN];
        diag_error(p->diag, e->loc, "%s is %s, expected %llu to %llu", what, expr_show(found, v),
                   (unsigned long long)min, (unsigned long long)max);
        return false;
    }
    *out = v;
    return true;
}

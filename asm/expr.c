/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assembly-time expressions, on the integers of base/integer.h. Entry points: expr_eval, expr_eval_range. */
#include "asm/program.h"

static bool power_log2(struct program *p, const struct expr *e, struct integer v, struct integer *out)
{
    char shown[INTEGER_SHOWN];
    if (integer_is_negative(v) || v.bits == 0 || (v.bits & (v.bits - 1)) != 0) {
        diag_error(p->diag, e->loc, "log2 of %s, which is not a power of two", integer_show(shown, v));
        return false;
    }
    *out = integer_of((uint64_t)__builtin_ctzll(v.bits));
    return true;
}

static bool eval_call(struct program *p, const struct expr *e, struct integer *out)
{
    struct integer v;
    if (strcmp(e->name, "log2") != 0) {
        diag_error(p->diag, e->loc, "unknown function '%.64s': there is log2", e->name);
        return false;
    }
    return expr_eval(p, e->arg[0], &v) && power_log2(p, e, v, out);
}

static bool eval_symbol(struct program *p, const struct expr *e, struct integer *out)
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

/* Reports a failed operation where it stands, or at its right operand. */
static bool asm_expr_report(struct program *p, const struct expr *e, const struct integer_error *why)
{
    diag_error(p->diag, why->is_right_operand ? e->arg[1]->loc : e->loc, "%s", why->message.text);
    return false;
}

static bool eval_number(struct program *p, const struct expr *e, struct integer *out)
{
    struct integer_error why = {.is_right_operand = false};
    *out = e->value;
    return integer_operand(e->value, &why.message) == ST_OK || asm_expr_report(p, e, &why);
}

static bool eval_unary(struct program *p, const struct expr *e, struct integer *out)
{
    struct integer_error why;
    const struct expr *x = e->arg[0];
    if (e->op == INTEGER_MINUS && x->kind == EXPR_NUMBER) /* the operand can be a magnitude */
        *out = x->value;
    else if (!expr_eval(p, x, out))
        return false;
    return integer_unary(e->op, *out, out, &why) == ST_OK || asm_expr_report(p, e, &why);
}

static bool eval_binary(struct program *p, const struct expr *e, struct integer *out)
{
    struct integer_error why;
    struct integer x, y;
    if (!expr_eval(p, e->arg[0], &x))
        return false;
    if ((e->op == INTEGER_BOTH && x.bits == 0) || (e->op == INTEGER_EITHER && x.bits != 0)) {
        *out = integer_of(x.bits != 0);
        return true;
    }
    return expr_eval(p, e->arg[1], &y) &&
           (integer_binary(e->op, x, y, out, &why) == ST_OK || asm_expr_report(p, e, &why));
}

bool expr_eval(struct program *p, const struct expr *e, struct integer *out)
{
    struct integer x;
    if (e->depth > EXPR_MAX_DEPTH) {
        diag_error(p->diag, e->loc, "an expression with more than %d operators within each other", EXPR_MAX_DEPTH);
        return false;
    }
    switch (e->kind) {
    case EXPR_NUMBER:
        return eval_number(p, e, out);
    case EXPR_SYMBOL:
        return eval_symbol(p, e, out);
    case EXPR_CALL:
        return eval_call(p, e, out);
    case EXPR_UNARY:
        return eval_unary(p, e, out);
    case EXPR_BINARY:
        return eval_binary(p, e, out);
    case EXPR_CHOICE:
        return expr_eval(p, e->arg[0], &x) && expr_eval(p, e->arg[x.bits != 0 ? 1 : 2], out);
    }
    BUG("expression kind %d", e->kind);
}

bool expr_eval_range(struct program *p, const struct expr *e, uint64_t min, uint64_t max, const char *what,
                     uint64_t *out)
{
    struct integer v;
    if (!expr_eval(p, e, &v))
        return false;
    if (integer_is_negative(v) || v.bits < min || v.bits > max) {
        char found[INTEGER_SHOWN];
        diag_error(p->diag, e->loc, "%s is %s, expected %llu to %llu", what, integer_show(found, v),
                   (unsigned long long)min, (unsigned long long)max);
        return false;
    }
    *out = v.bits;
    return true;
}

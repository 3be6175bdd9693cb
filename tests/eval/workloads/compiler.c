/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A compiler at work: source text, lexer, parser, SSA values with folding and value numbering, dead code, instruction selection by 512
 * rules, code that is run.
 *
 *     compiler [UNITS]      default 14
 *
 * Stands for the gcc of the co-processor and TIP papers: a large, flat instruction working set. The rules are made by a macro, as a
 * compiler's own are made by a generator; each has a dozen loads of its own, over 5000 in all, and all are hot.
 * Selection is repeated for 32 imaginary targets. Each unit's text is made by a generator that computes what the variables must hold at
 * the end; the code selected must leave them so, and the rules must have been applied once for each value and target. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum op { CONST, INPUT, ADD, SUB, MUL, AND, OR, XOR };
enum { VARIABLES = 64, STATEMENTS = 40, TEXT = 1 << 16, VALUES = 4096, BUCKETS = 1024, TARGETS = 32, RULES = 512 };

/* One SSA value. */
struct value {
    uint32_t op, shape;       /* shape: of a leaf, 0 to 63; of an operation, the operators of both operands */
    struct value *left, *right, *next_in_bucket;
    uint64_t number;          /* CONST: itself. INPUT: which variable */
    uint32_t uses, cost, need, rule, width;
    uint64_t result;          /* when the code is run */
};

struct unit {
    char text[TEXT];
    const char *at;
    struct value value[VALUES], *bucket[BUCKETS], *variable[VARIABLES];
    unsigned values;
    uint64_t start[VARIABLES], end[VARIABLES];
};

struct target {
    uint32_t price[RULES];
    uint32_t reload, immediate_bits, applied[RULES];
};

static struct value nothing;
static struct target targets[TARGETS], *target;

static uint64_t random_state = 88172645463325252u;

static uint32_t next_random(uint32_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 32) * below >> 32);
}

static uint64_t apply(uint32_t op, uint64_t a, uint64_t b)
{
    switch (op) {
    case ADD: return a + b;
    case SUB: return a - b;
    case MUL: return a * b;
    case AND: return a & b;
    case OR: return a | b;
    default: return a ^ b;
    }
}

/* The source: a text, and what it means. */

static const char operator_of[] = "   +-*&|^";
static int precedence(uint32_t op) { return op == MUL ? 5 : op <= SUB ? 4 : op == AND ? 3 : op == XOR ? 2 : 1; }

static char *write_expression(struct unit *u, char *p, unsigned depth, int outer, uint64_t *meaning)
{
    if (depth == 0 || (depth < 4 && next_random(10) < 4)) {
        if (next_random(2)) {
            unsigned v = next_random(VARIABLES);
            *meaning = u->end[v];
            return p + sprintf(p, "v%u", v);
        }
        *meaning = ((uint64_t)next_random(UINT32_MAX) << 31 | next_random(1u << 31)) >> next_random(63);
        return p + sprintf(p, "%llu", (unsigned long long)*meaning);
    }
    uint32_t op = ADD + next_random(6);
    uint64_t a, b;
    int bare = precedence(op) > outer;
    if (!bare)
        *p++ = '(';
    p = write_expression(u, p, depth - 1, precedence(op), &a);
    *p++ = ' ';
    *p++ = operator_of[op + 1];
    *p++ = ' ';
    p = write_expression(u, p, depth - 1, precedence(op), &b);
    if (!bare)
        *p++ = ')';
    *meaning = apply(op, a, b);
    return p;
}

static void write_unit(struct unit *u)
{
    char *p = u->text;
    for (unsigned v = 0; v < VARIABLES; v++)
        u->start[v] = u->end[v] = (uint64_t)next_random(UINT32_MAX) << 32 | next_random(UINT32_MAX);
    for (unsigned s = 0; s < STATEMENTS; s++) {
        unsigned v = next_random(VARIABLES);
        uint64_t meaning;
        p += sprintf(p, "v%u = ", v);
        p = write_expression(u, p, 5, 0, &meaning);
        p += sprintf(p, ";\n");
        u->end[v] = meaning;
    }
    *p = '\0';
}

/* Values: folded if possible, and each only once. */

static struct value *make_value(struct unit *u, uint32_t op, struct value *left, struct value *right, uint64_t number)
{
    if (op >= ADD && left->op == CONST && right->op == CONST)
        return make_value(u, CONST, &nothing, &nothing, apply(op, left->number, right->number));
    uint64_t hash = (op + number * 31 + (uint64_t)(left - u->value) * 1009 + (uint64_t)(right - u->value) * 9176) * 0x9e3779b97f4a7c15;
    struct value **bucket = &u->bucket[hash >> 54];
    for (struct value *v = *bucket; v != NULL; v = v->next_in_bucket)
        if (v->op == op && v->left == left && v->right == right && v->number == number)
            return v;
    if (u->values == VALUES)
        exit(1);
    struct value *v = &u->value[u->values++];
    *v = (struct value){.op = op, .left = left, .right = right, .number = number, .next_in_bucket = *bucket};
    v->width = op == CONST && number != 0 ? 64 - (uint32_t)__builtin_clzll(number) : op == CONST ? 0 : 64;
    v->shape = op == CONST ? v->width % 64 : op == INPUT ? (uint32_t)number : left->op * 8 + right->op;
    return *bucket = v;
}

static char peek(struct unit *u)
{
    while (isspace((unsigned char)*u->at))
        u->at++;
    return *u->at;
}

static uint64_t lex_number(struct unit *u)
{
    uint64_t n = 0;
    for (; isdigit((unsigned char)*u->at); u->at++)
        n = n * 10 + (uint64_t)(*u->at - '0');
    return n;
}

static uint32_t lex_operator(struct unit *u)
{
    switch (peek(u)) {
    case '+': return ADD;
    case '-': return SUB;
    case '*': return MUL;
    case '&': return AND;
    case '|': return OR;
    case '^': return XOR;
    default: return CONST;
    }
}

static struct value *parse_expression(struct unit *u, int above);

static struct value *parse_primary(struct unit *u)
{
    struct value *v;
    switch (peek(u)) {
    case '(':
        u->at++;
        v = parse_expression(u, 0);
        u->at += peek(u) == ')';
        return v;
    case 'v':
        u->at++;
        return u->variable[lex_number(u) % VARIABLES];
    default:
        return make_value(u, CONST, &nothing, &nothing, lex_number(u));
    }
}

/* Operators that bind more tightly than `above`. */
static struct value *parse_expression(struct unit *u, int above)
{
    struct value *left = parse_primary(u);
    for (;;) {
        uint32_t op = lex_operator(u);
        if (op == CONST || precedence(op) <= above)
            return left;
        u->at++;
        struct value *right = parse_expression(u, precedence(op));
        left = make_value(u, op, left, right, 0);
    }
}

static void parse_unit(struct unit *u)
{
    u->values = 0;
    memset(u->bucket, 0, sizeof u->bucket);
    for (unsigned v = 0; v < VARIABLES; v++)
        u->variable[v] = make_value(u, INPUT, &nothing, &nothing, v);
    for (u->at = u->text; peek(u) == 'v';) {
        u->at++;
        unsigned v = (unsigned)lex_number(u) % VARIABLES;
        u->at += peek(u) == '=';
        u->variable[v] = parse_expression(u, 0);
        u->at += peek(u) == ';';
    }
}

/* Operands come before their users: one walk backwards finds what is needed. */
static unsigned count_uses(struct unit *u)
{
    unsigned live = 0;
    for (unsigned v = 0; v < VARIABLES; v++)
        u->variable[v]->uses++;
    for (unsigned i = u->values; i-- > 0;)
        if (u->value[i].uses != 0) {
            u->value[i].left->uses++;
            u->value[i].right->uses++;
            live++;
        }
    return live;
}

/* Result of rule n for a value: its cost with those of its operands, and the registers that it needs (Sethi and Ullman). */
#define RULE(n) \
    static __attribute__((noinline)) void rule_##n(struct value *v) \
    { \
        struct value *l = v->left, *r = v->right; \
        uint32_t cost = target->price[0##n] + l->cost, need = l->need; \
        if (need == r->need) \
            need++; \
        else if (need < r->need) \
            need = r->need; \
        if (r->width > target->immediate_bits) \
            cost += r->cost; \
        if (l->uses > 1 + 0##n % 3) \
            cost -= l->cost >> 1; \
        if (need > 4 + 0##n % 5) \
            cost += target->reload; \
        v->cost = cost; \
        v->need = need; \
        v->rule = 0##n; \
        target->applied[0##n]++; \
    }
#define RULE_8(n) RULE(n##0) RULE(n##1) RULE(n##2) RULE(n##3) RULE(n##4) RULE(n##5) RULE(n##6) RULE(n##7)
#define RULE_64(n) RULE_8(n##0) RULE_8(n##1) RULE_8(n##2) RULE_8(n##3) RULE_8(n##4) RULE_8(n##5) RULE_8(n##6) RULE_8(n##7)
RULE_64(0) RULE_64(1) RULE_64(2) RULE_64(3) RULE_64(4) RULE_64(5) RULE_64(6) RULE_64(7)

static void (*const rule[RULES])(struct value *v) = {
#define NAME(n) rule_##n,
#define NAME_8(n) NAME(n##0) NAME(n##1) NAME(n##2) NAME(n##3) NAME(n##4) NAME(n##5) NAME(n##6) NAME(n##7)
#define NAME_64(n) NAME_8(n##0) NAME_8(n##1) NAME_8(n##2) NAME_8(n##3) NAME_8(n##4) NAME_8(n##5) NAME_8(n##6) NAME_8(n##7)
    NAME_64(0) NAME_64(1) NAME_64(2) NAME_64(3) NAME_64(4) NAME_64(5) NAME_64(6) NAME_64(7)
};

static __attribute__((noinline)) void select_rules(struct unit *u)
{
    for (target = targets; target < targets + TARGETS; target++)
        for (unsigned i = 0; i < u->values; i++)
            if (u->value[i].uses != 0)
                rule[u->value[i].op * 64 + u->value[i].shape](&u->value[i]);
}

/* Runs what was selected: the rule's number says what to do. Returns how many variables are wrong. */
static unsigned run_unit(struct unit *u)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < u->values; i++) {
        struct value *v = &u->value[i];
        if (v->uses == 0)
            continue;
        uint32_t op = v->rule / 64;
        v->result = op == CONST ? v->number : op == INPUT ? u->start[v->number] : apply(op, v->left->result, v->right->result);
    }
    for (unsigned v = 0; v < VARIABLES; v++)
        wrong += u->variable[v]->result != u->end[v];
    return wrong;
}

static void make_targets(void)
{
    for (unsigned t = 0; t < TARGETS; t++) {
        targets[t].reload = 3 + t % 4;
        targets[t].immediate_bits = 4 + t;
        for (unsigned n = 0; n < RULES; n++)
            targets[t].price[n] = 1 + (n * 7 + t / 8) % 5;
    }
}

int main(int argc, char **argv)
{
    unsigned units = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 14, wrong = 0;
    uint64_t live = 0, applied = 0, cost = 0;
    static struct unit u;
    make_targets();
    for (unsigned n = 0; n < units; n++) {
        write_unit(&u);
        parse_unit(&u);
        live += count_uses(&u);
        select_rules(&u);
        wrong += run_unit(&u);
        for (unsigned v = 0; v < VARIABLES; v++)
            cost += u.variable[v]->cost;
    }
    for (unsigned t = 0; t < TARGETS; t++)
        for (unsigned n = 0; n < RULES; n++)
            applied += targets[t].applied[n];
    int ok = wrong == 0 && applied == live * TARGETS;
    printf("compiler: %u units, %llu values, cost %llu, %u wrong: %s\n", units, (unsigned long long)live, (unsigned long long)cost, wrong,
           ok ? "ok" : "WRONG");
    return ok ? 0 : 1;
}

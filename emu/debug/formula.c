/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recursive-descent parser and evaluator of expressions. */
#include "emu/debug/formula.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/cop.h"
#include "isa/support/diag.h"

enum { MAX_NODES = 96, MAX_DEPTH = 40, MAX_NAME = 64, WHOLE = 64 };

enum node_kind {
    NODE_NUMBER,
    NODE_PLACE,
    NODE_ELEMENT,
    NODE_WORD,
    NODE_POSITION,
    NODE_SAMPLE,
    NODE_NOW,
    NODE_CLASS,
    NODE_COUNT,
    NODE_REGISTER,
    NODE_MEMORY,
    NODE_UNARY,
    NODE_BINARY,
};

/* Binary operators in order of precedence, weakest first. An operator comes before its prefixes. */
enum op {
    OP_EITHER,
    OP_BOTH,
    OP_OR,
    OP_XOR,
    OP_AND,
    OP_EQ,
    OP_NE,
    OP_LE,
    OP_GE,
    OP_SHL,
    OP_SHR,
    OP_LT,
    OP_GT,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_REM,
    OPS
};
static const struct {
    const char *text;
    int level;
} ops[OPS] = {
    [OP_EITHER] = {"||", 0}, [OP_BOTH] = {"&&", 1}, [OP_OR] = {"|", 2},  [OP_XOR] = {"^", 3}, [OP_AND] = {"&", 4},
    [OP_EQ] = {"==", 5},     [OP_NE] = {"!=", 5},   [OP_LE] = {"<=", 6}, [OP_GE] = {">=", 6}, [OP_SHL] = {"<<", 7},
    [OP_SHR] = {">>", 7},    [OP_LT] = {"<", 6},    [OP_GT] = {">", 6},  [OP_ADD] = {"+", 8}, [OP_SUB] = {"-", 8},
    [OP_MUL] = {"*", 9},     [OP_DIV] = {"/", 9},   [OP_REM] = {"%", 9},
};
enum { LEVELS = 10 };

struct node {
    enum node_kind kind;
    enum op op;             /* BINARY */
    char sign;              /* UNARY: - ~ ! */
    uint8_t x, y;           /* operands; ELEMENT, COUNT, MEMORY: x is the index */
    struct cop_place place; /* PLACE; ELEMENT: region, and base element, which is ORed with the index */
    unsigned most;          /* ELEMENT: number of elements that can be named */
    uint8_t low, width;     /* PLACE and ELEMENT: bit field */
    uint8_t format;         /* ELEMENT: enum image_format of a key or a member of a slot; else FORMAT_NONE */
    uint8_t mixed;          /* ELEMENT of format pcx: lane of the row that is XORed with the key */
    uint64_t number;
    char name[MAX_NAME]; /* for messages; REGISTER: register name */
};

struct formula {
    unsigned count, root;
    struct node node[MAX_NODES];
};

struct parser {
    const char *at;
    const struct formula_scope *scope;
    struct formula *f;
    struct errmsg *err;
    unsigned depth;
    bool bad;
};

static unsigned complain(struct parser *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
static unsigned complain(struct parser *p, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    if (!p->bad) {
        va_start(ap, fmt);
        vsnprintf(text, sizeof text, fmt, ap);
        va_end(ap);
        (void)fail(p->err, ST_INPUT, "%s", text);
    }
    p->bad = true;
    return 0;
}

static void skip_blanks(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\t')
        p->at++;
}

static unsigned add(struct parser *p, const struct node *n)
{
    if (p->f->count == MAX_NODES)
        return complain(p, "the expression has more than %d parts", MAX_NODES);
    p->f->node[p->f->count] = *n;
    return p->f->count++;
}

static unsigned parse_level(struct parser *p, int level);

static bool take(struct parser *p, char c)
{
    skip_blanks(p);
    if (*p->at != c)
        return false;
    p->at++;
    return true;
}

static void expect(struct parser *p, char c)
{
    if (!take(p, c))
        complain(p, *p->at != '\0' ? "expected '%c' at '%.20s'" : "expected '%c' at the end", c, p->at);
}

/* Reads an identifier, truncated to MAX_NAME; false if there is none. */
static bool take_name(struct parser *p, char name[MAX_NAME])
{
    size_t n = 0;
    if (!isalpha((unsigned char)*p->at) && *p->at != '_')
        return false;
    for (; isalnum((unsigned char)*p->at) || *p->at == '_'; p->at++)
        if (n + 1 < MAX_NAME)
            name[n++] = *p->at;
    name[n] = '\0';
    return true;
}

/* A symbol as take_name, or in quotes as for gdb: those of C++ have blanks and brackets. The caller's to free; NULL
 * where there is none. */
static char *take_symbol(struct parser *p)
{
    char name[MAX_NAME];
    const char *end = *p->at == '\'' ? strchr(p->at + 1, '\'') : NULL;
    if (end == NULL)
        return take_name(p, name) ? xstrdup(name) : NULL;
    char *quoted = xasprintf("%.*s", (int)(end - p->at - 1), p->at + 1);
    p->at = end + 1;
    return quoted;
}

static unsigned parse_index(struct parser *p)
{
    unsigned index = parse_level(p, 0);
    expect(p, ']');
    return index;
}

static int find_lane(const char *name)
{
    for (int i = 0; i < LANE_COUNT; i++)
        if (strcmp(isa_lanes[i].name, name) == 0)
            return i;
    return -1;
}

/* Sets format and lane of a key or member from the layout at a base register. */
static int apply_layout(struct node *n, const struct image_layout *l, const char *member, int lane)
{
    if (strcmp(member, "key") == 0) {
        n->format = l->key;
        n->mixed = l->members > 0 ? l->member[0].lane : 0;
    }
    for (unsigned m = 0; m < l->members; m++)
        if (strcmp(l->member[m].name, member) == 0) {
            n->format = l->member[m].format;
            lane = l->member[m].lane;
        }
    return lane;
}

/* Resolves a slot's member through the layouts at a base register, or a plain lane name. */
static bool set_member(struct parser *p, struct node *n, int base, const char *member)
{
    const struct image *im = p->scope->image;
    int lane = find_lane(member);
    for (unsigned l = 0; l < im->layouts && base >= 0; l++)
        if (im->layout[l].base == base)
            lane = apply_layout(n, &im->layout[l], member, lane);
    if (lane >= 0) {
        n->low = isa_lanes[lane].low;
        n->width = isa_lanes[lane].width;
        return true;
    }
    if (strcmp(member, "key") == 0)
        n->place.region = BUS_CAM;
    else if (strcmp(member, "valid") == 0)
        n->place.region = BUS_VALID;
    else
        return false;
    return true;
}

/* Parses the rest after NAME[: an element of a sub-array or of a bus region. */
static unsigned parse_element(struct parser *p, const char *name)
{
    struct node n = {.kind = NODE_ELEMENT, .width = WHOLE, .format = FORMAT_NONE};
    const struct image *im = p->scope->image;
    int base = -1;
    snprintf(n.name, sizeof n.name, "%s", name);
    for (int i = 0; i < ISA_BASES; i++)
        if (strcmp(im->base_name[i], name) == 0)
            base = i;
    n.most = 0;
    if (base >= 0) {
        n.place = (struct cop_place){BUS_DATA, im->base[base]};
        n.most = cop_elements(p->scope->cop, BUS_DATA);
        for (unsigned l = 0; l < im->layouts; l++)
            if (im->layout[l].base == base)
                n.most = im->layout[l].count;
    } else if (strcmp(name, "count") == 0) {
        n.kind = NODE_COUNT;
        n.most = ISA_WORDS;
    } else if (strcmp(name, "mem") == 0) {
        n.kind = NODE_MEMORY;
        if (p->scope->guest_memory == NULL)
            return complain(p, "mem: there is no guest");
    } else {
        for (size_t i = 0; i < bus_region_count; i++)
            if (strcmp(bus_regions[i].name, name) == 0) {
                n.place.region = (enum bus_address)bus_regions[i].address;
                n.most = cop_elements(p->scope->cop, n.place.region);
            }
        if (n.most == 0)
            return complain(p, "'%s' is no array: expected a sub-array of the program or data, cam, valid, count, ...",
                            name);
    }
    n.x = (uint8_t)parse_index(p);
    if (n.kind == NODE_ELEMENT && take(p, '.')) {
        char member[MAX_NAME] = "";
        if (!take_name(p, member) || !set_member(p, &n, base, member))
            return complain(p, "'%s' has no member '%s'", name, member);
    }
    return add(p, &n);
}

struct near {
    const char *names[256];
    size_t count;
};

static void collect(void *ctx, const char *name)
{
    struct near *n = ctx;
    if (n->count < sizeof n->names / sizeof n->names[0])
        n->names[n->count++] = name;
}

static const struct {
    const char *name;
    enum node_kind kind;
} own_names[] = {
    {"word", NODE_WORD}, {"position", NODE_POSITION}, {"sample", NODE_SAMPLE}, {"now", NODE_NOW}, {"class", NODE_CLASS},
};

/* Returns the first layout with a member of this name, or NULL. */
static const struct image_layout *layout_with(const struct image *im, const char *name)
{
    for (unsigned l = 0; l < im->layouts; l++)
        for (unsigned m = 0; m < im->layout[l].members; m++)
            if (strcmp(im->layout[l].member[m].name, name) == 0)
                return &im->layout[l];
    return NULL;
}

static unsigned complain_unknown(struct parser *p, const char *name)
{
    struct near near = {.count = 0};
    const struct image_layout *l = layout_with(p->scope->image, name);
    if (sample_find_field(name) >= 0)
        return complain(p, "the program does not collect the field '%s': its samples have those that its words name",
                        name);
    for (size_t i = 0; i < isa_bsrc_count; i++)
        if (isa_bsrcs[i].lfsr_bits > 0 && strcmp(isa_bsrcs[i].name, name) == 0)
            return complain(p, "'%s' is an operand of words: lfsr has the pseudo-random register", name);
    if (l != NULL)
        return complain(p, "'%s' is a member of slots: expected %s[INDEX].%s", name, l->name, name);
    formula_each_name(p->scope, collect, &near);
    const char *meant = diag_nearest(name, near.names, near.count);
    if (meant != NULL && strcmp(meant, name) == 0)
        return complain(p, "'%s' is an array: expected %s[INDEX]", name, name);
    return complain(p, "there is no '%s' here%s%s%s", name, meant ? "; did you mean '" : "", meant ? meant : "",
                    meant ? "'?" : "");
}

static unsigned parse_name(struct parser *p)
{
    struct node n = {.kind = NODE_PLACE, .width = WHOLE};
    (void)take_name(p, n.name);
    if (take(p, '['))
        return parse_element(p, n.name);
    if (cop_find_place(p->scope->cop, p->scope->image, n.name, &n.place))
        return add(p, &n);
    for (size_t i = 0; i < sizeof own_names / sizeof own_names[0]; i++)
        if (strcmp(own_names[i].name, n.name) == 0) {
            n.kind = own_names[i].kind;
            return add(p, &n);
        }
    int number = image_find_label(p->scope->image, n.name);
    if (number < 0)
        number = opclass_find(n.name);
    if (number < 0)
        return complain_unknown(p, n.name);
    n.kind = NODE_NUMBER;
    n.number = (uint64_t)number;
    return add(p, &n);
}

static unsigned parse_number(struct parser *p)
{
    struct node n = {.kind = NODE_NUMBER};
    char *end;
    errno = 0;
    n.number = strtoull(p->at, &end, 0);
    if (errno != 0 || isalnum((unsigned char)*end) || *end == '_')
        return complain(p, "'%.*s' is no number of 64 bits", (int)strcspn(p->at, " \t+-*/%&|^()[]<>=!"), p->at);
    p->at = end;
    return add(p, &n);
}

/* Parses $REGISTER of the guest. */
static unsigned parse_register(struct parser *p)
{
    struct node n = {.kind = NODE_REGISTER};
    p->at++;
    if (!take_name(p, n.name))
        return complain(p, "expected a name after '$'");
    if (p->scope->guest_register == NULL)
        return complain(p, "$%s: there is no guest", n.name);
    if (!p->scope->guest_register(p->scope->ctx, n.name, &n.number))
        return complain(p, "the guest has no register '%s'", n.name);
    return add(p, &n);
}

static bool find_symbol(const struct formula_scope *s, const char *name, uint64_t *address)
{
    return s->guest_symbol(s->ctx, name, address) || s->guest_variable(s->ctx, name, address);
}

/* Reports a symbol that the guest does not have. A name with other characters than those of C stands in quotes. */
static unsigned complain_symbol(struct parser *p, const char *name)
{
    return *p->at != '\0' && strchr(".:@$", *p->at) != NULL
               ? complain(p,
                          "the guest has no symbol '%s'; a name with other characters than letters, digits "
                          "and _ stands in quotes: &'%s%.*s'",
                          name, name, (int)strcspn(p->at, " \t"), p->at)
               : complain(p, "the guest has no function or variable '%s'", name);
}

/* Parses &SYMBOL of the guest: a function, or else a variable. */
static unsigned parse_symbol(struct parser *p)
{
    struct node n = {.kind = NODE_NUMBER};
    p->at++;
    char *name = take_symbol(p);
    if (name == NULL)
        return complain(p, "expected a name after '&'");
    if (p->scope->guest_register == NULL)
        complain(p, "&%s: there is no guest", name);
    else if (!find_symbol(p->scope, name, &n.number))
        complain_symbol(p, name);
    snprintf(n.name, sizeof n.name, "%s", name);
    free(name);
    return p->bad ? 0 : add(p, &n);
}

static unsigned parse_primary(struct parser *p)
{
    skip_blanks(p);
    char c = *p->at;
    if (++p->depth > MAX_DEPTH)
        return complain(p, "the expression is nested more than %d deep", MAX_DEPTH);
    unsigned result;
    if (c == '-' || c == '~' || c == '!') {
        p->at++;
        struct node n = {.kind = NODE_UNARY, .sign = c};
        n.x = (uint8_t)parse_primary(p);
        result = add(p, &n);
    } else if (c == '(') {
        p->at++;
        result = parse_level(p, 0);
        expect(p, ')');
    } else if (isdigit((unsigned char)c)) {
        result = parse_number(p);
    } else if (c == '$') {
        result = parse_register(p);
    } else if (c == '&') {
        result = parse_symbol(p);
    } else if (isalpha((unsigned char)c) || c == '_') {
        result = parse_name(p);
    } else {
        result = c != '\0' ? complain(p, "expected a value at '%.20s'", p->at)
                           : complain(p, "expected a value at the end");
    }
    p->depth--;
    return result;
}

/* Reads an operator if its precedence level is `level`. */
static bool take_op(struct parser *p, int level, enum op *op)
{
    skip_blanks(p);
    for (int i = 0; i < OPS; i++) {
        size_t n = strlen(ops[i].text);
        if (strncmp(p->at, ops[i].text, n) != 0 || (n == 1 && p->at[1] == p->at[0] && strchr("|&<>", p->at[0]) != NULL))
            continue;
        if (n == 1 && (p->at[0] == '<' || p->at[0] == '>') && p->at[1] == '=')
            continue;
        if (ops[i].level != level)
            return false;
        p->at += n;
        *op = (enum op)i;
        return true;
    }
    return false;
}

static unsigned parse_level(struct parser *p, int level)
{
    if (level == LEVELS)
        return parse_primary(p);
    unsigned left = parse_level(p, level + 1);
    struct node n = {.kind = NODE_BINARY};
    while (!p->bad && take_op(p, level, &n.op)) {
        n.x = (uint8_t)left;
        n.y = (uint8_t)parse_level(p, level + 1);
        left = add(p, &n);
    }
    return left;
}

struct formula *formula_parse(const char *text, const char **rest, const struct formula_scope *scope,
                              struct errmsg *err)
{
    struct parser p = {.at = text, .scope = scope, .f = xcalloc(1, sizeof *p.f), .err = err};
    p.f->root = parse_level(&p, 0);
    skip_blanks(&p);
    if (!p.bad && rest == NULL && *p.at != '\0')
        complain(&p, "expected an operator at '%.20s'", p.at);
    if (p.bad) {
        free(p.f);
        return NULL;
    }
    if (rest != NULL)
        *rest = p.at;
    return p.f;
}

void formula_free(struct formula *f) { free(f); }

static enum status apply(enum op op, uint64_t a, uint64_t b, uint64_t *v, struct errmsg *err)
{
    switch (op) {
    case OP_EITHER:
        *v = a || b;
        break;
    case OP_BOTH:
        *v = a && b;
        break;
    case OP_OR:
        *v = a | b;
        break;
    case OP_XOR:
        *v = a ^ b;
        break;
    case OP_AND:
        *v = a & b;
        break;
    case OP_EQ:
        *v = a == b;
        break;
    case OP_NE:
        *v = a != b;
        break;
    case OP_LE:
        *v = a <= b;
        break;
    case OP_GE:
        *v = a >= b;
        break;
    case OP_LT:
        *v = a < b;
        break;
    case OP_GT:
        *v = a > b;
        break;
    case OP_SHL:
        *v = b < 64 ? a << b : 0;
        break;
    case OP_SHR:
        *v = b < 64 ? a >> b : 0;
        break;
    case OP_ADD:
        *v = a + b;
        break;
    case OP_SUB:
        *v = a - b;
        break;
    case OP_MUL:
        *v = a * b;
        break;
    case OP_DIV:
    case OP_REM:
        if (b == 0)
            return fail(err, ST_RANGE, "division by 0");
        *v = op == OP_DIV ? a / b : a % b;
        break;
    case OPS:
        break;
    }
    return ST_OK;
}

static enum status value_of(const struct formula *f, unsigned at, const struct formula_scope *s, uint64_t *v,
                            struct errmsg *err);

/* Print kind of a slot's key or member; PRINT_NUMBER for other nodes. */
static enum image_print print_of(const struct node *n)
{
    return n->kind == NODE_ELEMENT && n->format != FORMAT_NONE ? image_format_print(n->format) : PRINT_NUMBER;
}

/* Returns whether the value that the node stands for differs from the bits that it holds. */
static bool is_encoded(const struct node *n)
{
    return image_print_is_address(print_of(n)) || print_of(n) == PRINT_SIGNED;
}

static unsigned bits_of(const struct node *n) { return n->place.region == BUS_CAM ? IMAGE_KEY_BITS : n->width; }

/* The value XORed into a key of format pcx: the first member of the key's slot. */
static uint64_t mixed_with(const struct node *n, const struct formula_scope *s, const struct cop_place *key)
{
    struct cop_place row = {BUS_DATA, key->element};
    uint64_t v;
    if (n->format != FORMAT_PCX || cop_peek(s->cop, &row, &v) != ST_OK)
        return 0;
    return image_pcx_apart(0, isa_lane_of(v, n->mixed), isa_lanes[n->mixed].width);
}

/* Evaluates an element's index and returns its place. */
static enum status locate(const struct formula *f, const struct node *n, const struct formula_scope *s,
                          struct cop_place *place, struct errmsg *err)
{
    uint64_t index;
    enum status st = value_of(f, n->x, s, &index, err);
    if (st != ST_OK)
        return st;
    if (index >= n->most)
        return fail(err, ST_RANGE, "%s has elements 0 to %u: there is no %llu", n->name, n->most - 1,
                    (unsigned long long)index);
    *place = (struct cop_place){n->place.region, n->place.element | (unsigned)index};
    return ST_OK;
}

static enum status read_place(const struct formula_scope *s, const struct node *n, const struct cop_place *place,
                              uint64_t *v, struct errmsg *err)
{
    if (place->region == BUS_HEAD && cop_queued(s->cop) == 0)
        return fail(err, ST_RANGE, "%s: there is no sample at the head", n->name);
    if (cop_peek(s->cop, place, v) != ST_OK)
        return fail(err, ST_RANGE, "%s cannot be read", n->name);
    if (n->width < WHOLE)
        *v = *v >> n->low & ((UINT64_C(1) << n->width) - 1);
    return ST_OK;
}

static enum status head_class(const struct formula_scope *s, uint64_t *v, struct errmsg *err)
{
    struct cop_record r;
    if (!cop_record(s->cop, 0, &r))
        return fail(err, ST_RANGE, "class: there is no sample at the head");
    *v = (uint64_t)r.opclass;
    return ST_OK;
}

static enum status unary(const struct formula *f, const struct node *n, const struct formula_scope *s, uint64_t *v,
                         struct errmsg *err)
{
    enum status st = value_of(f, n->x, s, v, err);
    *v = n->sign == '-' ? -*v : n->sign == '~' ? ~*v : !*v;
    return st;
}

/* && and || evaluate the right operand only if the left one does not determine the result. */
static enum status binary(const struct formula *f, const struct node *n, const struct formula_scope *s, uint64_t *v,
                          struct errmsg *err)
{
    uint64_t a = 0, b = 0;
    enum status st = value_of(f, n->x, s, &a, err);
    if (st == ST_OK && ((n->op == OP_BOTH && a == 0) || (n->op == OP_EITHER && a != 0))) {
        *v = a != 0;
        return ST_OK;
    }
    if (st == ST_OK)
        st = value_of(f, n->y, s, &b, err);
    return st == ST_OK ? apply(n->op, a, b, v, err) : st;
}

static enum status element(const struct formula *f, const struct node *n, const struct formula_scope *s, uint64_t *v,
                           struct errmsg *err)
{
    struct cop_place place;
    enum status st;
    if (n->kind == NODE_MEMORY) {
        st = value_of(f, n->x, s, v, err);
        if (st == ST_OK && !s->guest_memory(s->ctx, *v, v))
            return fail(err, ST_RANGE, "mem: the guest has no memory at 0x%llx", (unsigned long long)*v);
        return st;
    }
    st = locate(f, n, s, &place, err);
    if (st != ST_OK)
        return st;
    if (n->kind == NODE_COUNT) {
        *v = cop_word_count(s->cop, place.element);
        return ST_OK;
    }
    st = read_place(s, n, &place, v, err);
    if (st == ST_OK && is_encoded(n))
        *v = image_format_value(n->format, *v ^ mixed_with(n, s, &place), bits_of(n));
    return st;
}

static enum status value_of(const struct formula *f, unsigned at, const struct formula_scope *s, uint64_t *v,
                            struct errmsg *err)
{
    const struct node *n = &f->node[at];
    *v = 0;
    switch (n->kind) {
    case NODE_NUMBER:
        *v = n->number;
        break;
    case NODE_PLACE:
        return read_place(s, n, &n->place, v, err);
    case NODE_WORD:
        *v = cop_pc(s->cop);
        break;
    case NODE_POSITION:
        *v = s->position;
        break;
    case NODE_SAMPLE:
        *v = s->samples;
        break;
    case NODE_NOW:
        *v = cop_cycle(s->cop);
        break;
    case NODE_CLASS:
        return head_class(s, v, err);
    case NODE_REGISTER:
        if (s->guest_register == NULL || !s->guest_register(s->ctx, n->name, v))
            return fail(err, ST_RANGE, "$%s: there is no guest", n->name);
        break;
    case NODE_ELEMENT:
    case NODE_COUNT:
    case NODE_MEMORY:
        return element(f, n, s, v, err);
    case NODE_UNARY:
        return unary(f, n, s, v, err);
    case NODE_BINARY:
        return binary(f, n, s, v, err);
    }
    return ST_OK;
}

enum status formula_value(const struct formula *f, const struct formula_scope *scope, uint64_t *value,
                          struct errmsg *err)
{
    return value_of(f, f->root, scope, value, err);
}

/* Returns whether the expression is constant. */
static bool is_constant(const struct formula *f, unsigned at)
{
    const struct node *n = &f->node[at];
    switch (n->kind) {
    case NODE_NUMBER:
        return true;
    case NODE_UNARY:
        return is_constant(f, n->x);
    case NODE_BINARY:
        return is_constant(f, n->x) && is_constant(f, n->y);
    default:
        return false;
    }
}

bool formula_is_constant(const struct formula *f) { return is_constant(f, f->root); }

enum status formula_vet(const struct formula *f, const struct formula_scope *scope, struct errmsg *err)
{
    enum status st = ST_OK;
    for (unsigned i = 0; i < f->count && st == ST_OK; i++) {
        const struct node *n = &f->node[i];
        struct cop_place place;
        uint64_t value;
        if (n->kind == NODE_BINARY && (n->op == OP_DIV || n->op == OP_REM) && is_constant(f, n->y)) {
            st = value_of(f, n->y, scope, &value, err);
            if (st == ST_OK && value == 0)
                st = fail(err, ST_RANGE, "division by 0");
        } else if ((n->kind == NODE_ELEMENT || n->kind == NODE_COUNT) && is_constant(f, n->x)) {
            st = locate(f, n, scope, &place, err);
        }
    }
    return st;
}

enum image_print formula_print(const struct formula *f) { return print_of(&f->node[f->root]); }

enum status formula_as_cell(const struct formula *f, const struct formula_scope *scope, struct formula_cell *cell,
                            struct errmsg *err)
{
    const struct node *n = &f->node[f->root];
    *cell = (struct formula_cell){
        .kind = CELL_PLACE, .place = n->place, .low = n->low, .width = n->width, .format = FORMAT_NONE};
    if (n->kind == NODE_WORD) {
        cell->kind = CELL_WORD;
    } else if (n->kind == NODE_ELEMENT) {
        enum status st = locate(f, n, scope, &cell->place, err);
        cell->format = is_encoded(n) ? n->format : FORMAT_NONE;
        cell->bits = (uint8_t)bits_of(n);
        cell->mixed = st == ST_OK ? mixed_with(n, scope, &cell->place) : 0;
        return st;
    } else if (n->kind != NODE_PLACE)
        return fail(err, ST_INPUT, "expected a register, a field, a cell or word on the left of =");
    return ST_OK;
}

void formula_each_name(const struct formula_scope *scope, void (*see)(void *ctx, const char *name), void *ctx)
{
    static const char *const arrays[] = {"count", "mem"};
    const struct image *im = scope->image;
    struct image_names store;
    struct isa_names names = image_names(im, &store);
    const struct {
        const char *const *name;
        unsigned count;
    } lists[] = {{names.values, ISA_VALUES},
                 {names.indexes, ISA_INDEXES},
                 {names.consts, ISA_CONSTS},
                 {names.bases, ISA_BASES},
                 {names.fields, ISA_FIELDS},
                 {names.labels, ISA_WORDS},
                 {arrays, sizeof arrays / sizeof arrays[0]}};
    for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++)
        for (unsigned i = 0; i < lists[l].count; i++)
            if (lists[l].name[i] != NULL)
                see(ctx, lists[l].name[i]);
    for (size_t i = 0; i < bus_region_count; i++)
        if (bus_is_readable(&bus_regions[i]))
            see(ctx, bus_regions[i].name);
    for (size_t i = 0; i < sizeof own_names / sizeof own_names[0]; i++)
        see(ctx, own_names[i].name);
    for (int c = 0; c < OPCLASS_COUNT; c++)
        see(ctx, opclass_name((enum opclass)c));
}

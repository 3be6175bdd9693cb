/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recursive-descent parser of expressions. formula_value.c evaluates them. */
#include "emu/debug/formula_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "emu/cop.h"

enum { MAX_DEPTH = 40 };

struct parser {
    const char *text, *at;
    const struct formula_scope *scope;
    struct formula *f;
    struct errmsg *err;
    unsigned depth;
    bool negates; /* the operand to be parsed stands after a minus */
    bool bad;
};

static unsigned formula_complain(struct parser *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
static unsigned formula_complain(struct parser *p, const char *fmt, ...)
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

static void formula_skip_blanks(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\t')
        p->at++;
}

static unsigned formula_add(struct parser *p, const struct formula_node *n)
{
    if (p->f->count == FORMULA_NODES)
        return formula_complain(p, "the expression has more than %d parts", FORMULA_NODES);
    p->f->node[p->f->count] = *n;
    return p->f->count++;
}

/* Sets the text of a node: from `from` to the current position, without trailing blanks. */
static unsigned place_node(struct parser *p, unsigned node, const char *from)
{
    const char *to = p->at;
    while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
        to--;
    p->f->node[node].from = (unsigned)(from - p->text);
    p->f->node[node].to = (unsigned)(to - p->text);
    return node;
}

static unsigned parse_level(struct parser *p, int level);

static bool formula_take(struct parser *p, char c)
{
    formula_skip_blanks(p);
    if (*p->at != c)
        return false;
    p->at++;
    return true;
}

static void formula_expect(struct parser *p, char c)
{
    if (!formula_take(p, c))
        formula_complain(p, *p->at != '\0' ? "expected '%c' at '%.20s'" : "expected '%c' at the end", c, p->at);
}

/* Length of the identifier at the start of the text; 0: there is none. */
static size_t name_length(const char *text)
{
    size_t n = 0;
    if (!isalpha((unsigned char)text[0]) && text[0] != '_')
        return 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    return n;
}

/* Reads an identifier, truncated to FORMULA_NAME, which exceeds all names of a program; false if there is none. */
static bool formula_take_name(struct parser *p, char name[FORMULA_NAME])
{
    const size_t n = name_length(p->at);
    snprintf(name, FORMULA_NAME, "%.*s", (int)n, p->at);
    p->at += n;
    return n > 0;
}

/* A symbol of the guest, of any length: an identifier, or in quotes as for gdb: those of C++ have blanks and brackets.
 * The caller's to free; NULL where there is none. */
static char *take_symbol(struct parser *p)
{
    const char *end = *p->at == '\'' ? strchr(p->at + 1, '\'') : NULL, *from = p->at;
    const size_t n = name_length(from);
    if (end == NULL) {
        p->at += n;
        return n > 0 ? xasprintf("%.*s", (int)n, from) : NULL;
    }
    p->at = end + 1;
    return xasprintf("%.*s", (int)(end - from - 1), from + 1);
}

static unsigned parse_index(struct parser *p)
{
    unsigned index = parse_level(p, 0);
    formula_expect(p, ']');
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
static int apply_layout(struct formula_node *n, const struct image_layout *l, const char *member, int lane)
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
static bool set_member(struct parser *p, struct formula_node *n, int base, const char *member)
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
static unsigned formula_parse_element(struct parser *p, const char *name)
{
    struct formula_node n = {.kind = NODE_ELEMENT, .width = FORMULA_WHOLE, .format = FORMAT_NONE};
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
            return formula_complain(p, "mem: there is no guest");
    } else {
        for (size_t i = 0; i < bus_region_count; i++)
            if (strcmp(bus_regions[i].name, name) == 0) {
                n.place.region = (enum bus_address)bus_regions[i].address;
                n.most = cop_elements(p->scope->cop, n.place.region);
            }
        if (n.most == 0)
            return formula_complain(
                p, "'%s' is no array: expected a sub-array of the program or data, cam, valid, count, ...", name);
    }
    n.x = (uint8_t)parse_index(p);
    if (n.kind == NODE_ELEMENT && formula_take(p, '.')) {
        char member[FORMULA_NAME] = "";
        if (!formula_take_name(p, member) || !set_member(p, &n, base, member))
            return formula_complain(p, "'%s' has no member '%s'", name, member);
    }
    return formula_add(p, &n);
}

struct near {
    const char *names[256];
    size_t count;
};

static void formula_collect(void *ctx, const char *name)
{
    struct near *n = ctx;
    if (n->count < sizeof n->names / sizeof n->names[0])
        n->names[n->count++] = name;
}

static const struct {
    const char *name;
    enum formula_node_kind kind;
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
        return formula_complain(
            p, "the program does not collect the field '%s': its samples have those that its words name", name);
    for (size_t i = 0; i < isa_bsrc_count; i++)
        if (isa_bsrcs[i].lfsr_bits > 0 && strcmp(isa_bsrcs[i].name, name) == 0)
            return formula_complain(p, "'%s' is an operand of words: lfsr has the pseudo-random register", name);
    if (l != NULL)
        return formula_complain(p, "'%s' is a member of slots: expected %s[INDEX].%s", name, l->name, name);
    formula_each_name(p->scope, formula_collect, &near);
    const char *meant = diag_nearest(name, near.names, near.count);
    if (meant != NULL && strcmp(meant, name) == 0)
        return formula_complain(p, "'%s' is an array: expected %s[INDEX]", name, name);
    return formula_complain(p, "there is no '%s' here%s", name, diag_hint(meant).text);
}

static unsigned parse_name(struct parser *p)
{
    struct formula_node n = {.kind = NODE_PLACE, .width = FORMULA_WHOLE};
    (void)formula_take_name(p, n.name);
    if (formula_take(p, '['))
        return formula_parse_element(p, n.name);
    if (cop_find_place(p->scope->cop, p->scope->image, n.name, &n.place))
        return formula_add(p, &n);
    for (size_t i = 0; i < sizeof own_names / sizeof own_names[0]; i++)
        if (strcmp(own_names[i].name, n.name) == 0) {
            n.kind = own_names[i].kind;
            return formula_add(p, &n);
        }
    int number = image_find_label(p->scope->image, n.name);
    if (number < 0)
        number = opclass_find(n.name);
    if (number < 0)
        return complain_unknown(p, n.name);
    n.kind = NODE_NUMBER;
    n.number = integer_of((uint64_t)number);
    return formula_add(p, &n);
}

static size_t number_length(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    return n;
}

static unsigned formula_parse_number(struct parser *p, bool negated)
{
    struct formula_node n = {.kind = NODE_NUMBER};
    struct errmsg err;
    const size_t length = number_length(p->at);
    enum status st = integer_parse(p->at, length, &n.number, &err);
    if (st == ST_OK && !negated)
        st = integer_operand(n.number, &err);
    if (st != ST_OK)
        return formula_complain(p, "%s", err.text);
    p->at += length;
    return formula_add(p, &n);
}

/* Parses $REGISTER of the guest. */
static unsigned parse_register(struct parser *p)
{
    struct formula_node n = {.kind = NODE_REGISTER};
    uint64_t value;
    p->at++;
    if (!formula_take_name(p, n.name))
        return formula_complain(p, "expected a name after '$'");
    if (p->scope->guest_register == NULL)
        return formula_complain(p, "$%s: there is no guest", n.name);
    if (!p->scope->guest_register(p->scope->ctx, n.name, &value))
        return formula_complain(p, "the guest has no register '%s'", n.name);
    return formula_add(p, &n);
}

static bool formula_find_symbol(const struct formula_scope *s, const char *name, uint64_t *address)
{
    return s->guest_symbol(s->ctx, name, address) || s->guest_variable(s->ctx, name, address);
}

/* Reports a symbol that the guest does not have. A name with other characters than those of C stands in quotes. */
static unsigned complain_symbol(struct parser *p, const char *name)
{
    if (*p->at != '\0' && strchr(".:@$", *p->at) != NULL)
        return formula_complain(p,
                                "the guest has no symbol '%s'; a name with other characters than letters, digits "
                                "and _ stands in quotes: &'%s%.*s'",
                                name, name, (int)strcspn(p->at, " \t"), p->at);
    char *meant = p->scope->meant_symbol != NULL ? p->scope->meant_symbol(p->scope->ctx, name) : xstrdup("");
    formula_complain(p, "the guest has no function or variable '%s'%s", name, meant);
    free(meant);
    return 0;
}

/* Parses &SYMBOL of the guest: a function, or else a variable. */
static unsigned parse_symbol(struct parser *p)
{
    struct formula_node n = {.kind = NODE_NUMBER};
    uint64_t address = 0;
    p->at++;
    char *name = take_symbol(p);
    if (name == NULL)
        return formula_complain(p, "expected a name after '&'");
    if (p->scope->guest_register == NULL)
        formula_complain(p, "&%s: there is no guest", name);
    else if (!formula_find_symbol(p->scope, name, &address))
        complain_symbol(p, name);
    n.number = integer_of_unsigned(address);
    snprintf(n.name, sizeof n.name, "%s", name);
    free(name);
    return p->bad ? 0 : formula_add(p, &n);
}

static unsigned parse_primary(struct parser *p)
{
    formula_skip_blanks(p);
    const char *from = p->at;
    const char c = *from;
    const bool negated = p->negates;
    p->negates = false;
    if (++p->depth > MAX_DEPTH)
        return formula_complain(p, "the expression is nested more than %d deep", MAX_DEPTH);
    unsigned result;
    if (c == '-' || c == '~' || c == '!') {
        p->at++;
        struct formula_node n = {.kind = NODE_UNARY,
                                 .op = c == '-'   ? INTEGER_MINUS
                                       : c == '~' ? INTEGER_INVERT
                                                  : INTEGER_NOT};
        p->negates = c == '-';
        n.x = (uint8_t)parse_primary(p);
        result = formula_add(p, &n);
    } else if (c == '(') {
        p->at++;
        result = parse_level(p, 0);
        formula_expect(p, ')');
    } else if (isdigit((unsigned char)c)) {
        result = formula_parse_number(p, negated);
    } else if (c == '$') {
        result = parse_register(p);
    } else if (c == '&') {
        result = parse_symbol(p);
    } else if (isalpha((unsigned char)c) || c == '_') {
        result = parse_name(p);
    } else {
        result = c != '\0' ? formula_complain(p, "expected a value at '%.20s'", p->at)
                           : formula_complain(p, "expected a value at the end");
    }
    p->depth--;
    return place_node(p, result, from);
}

/* Reads an operator if its precedence level is `level`. The first row that fits is the longest operator. */
static bool take_op(struct parser *p, int level, enum integer_op *op)
{
    formula_skip_blanks(p);
    for (int i = 0; i < INTEGER_BINARIES; i++) {
        const char *text = integer_ops[i].text;
        size_t n = strlen(text);
        if (strncmp(p->at, text, n) != 0)
            continue;
        if (integer_ops[i].level != level)
            return false;
        p->at += n;
        *op = (enum integer_op)i;
        return true;
    }
    return false;
}

static unsigned parse_level(struct parser *p, int level)
{
    if (level == INTEGER_LEVELS)
        return parse_primary(p);
    formula_skip_blanks(p);
    const char *from = p->at;
    unsigned left = parse_level(p, level + 1);
    struct formula_node n = {.kind = NODE_BINARY};
    while (!p->bad && take_op(p, level, &n.op)) {
        n.x = (uint8_t)left;
        n.y = (uint8_t)parse_level(p, level + 1);
        left = place_node(p, formula_add(p, &n), from);
    }
    return left;
}

struct formula *formula_parse(const char *text, const char **rest, const struct formula_scope *scope,
                              struct errmsg *err)
{
    struct parser p = {.text = text, .at = text, .scope = scope, .f = xcalloc(1, sizeof *p.f), .err = err};
    p.f->root = parse_level(&p, 0);
    formula_skip_blanks(&p);
    if (!p.bad && rest == NULL && *p.at != '\0')
        formula_complain(&p, "expected an operator at '%.20s'", p.at);
    p.f->text = xasprintf("%.*s", (int)(p.at - text), text);
    if (p.bad) {
        formula_free(p.f);
        return NULL;
    }
    if (rest != NULL)
        *rest = p.at;
    return p.f;
}

void formula_free(struct formula *f)
{
    if (f == NULL)
        return;
    free(f->text);
    free(f);
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

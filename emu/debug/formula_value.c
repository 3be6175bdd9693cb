/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluates parsed expressions, and finds the places that they name. The operators are those of base/integer.h.
 * Entry points: formula_value, formula_vet, formula_as_cell. */
#include "emu/debug/formula_parts.h"

#include "emu/cop.h"

static enum status formula_value_of(const struct formula *f, unsigned at, const struct formula_scope *s,
                                    struct integer *v, struct errmsg *err);

/* Reports a failed operation with the text of its node, or with that of its right operand. */
static enum status fail_operation(const struct formula *f, const struct formula_node *n,
                                  const struct integer_error *why, struct errmsg *err)
{
    const struct formula_node *at = why->is_right_operand ? &f->node[n->y] : n;
    return fail(err, ST_INPUT, "column %u, '%.*s': %s", at->from + 1, (int)(at->to - at->from), f->text + at->from,
                why->message.text);
}

/* Print kind of a slot's key or member; PRINT_NUMBER for other nodes. */
static enum slot_print print_of(const struct formula_node *n)
{
    return n->kind == NODE_ELEMENT && n->format != FORMAT_NONE ? slot_format_print(n->format) : PRINT_NUMBER;
}

/* Returns whether the value that the node stands for differs from the bits that it holds. */
static bool is_encoded(const struct formula_node *n)
{
    return slot_print_is_address(print_of(n)) || print_of(n) == PRINT_SIGNED;
}

static unsigned bits_of(const struct formula_node *n) { return n->place.region == BUS_CAM ? IMAGE_KEY_BITS : n->width; }

/* The value XORed into a key of format pcx: the first member of the key's slot. */
static uint64_t mixed_with(const struct formula_node *n, const struct formula_scope *s, const struct cop_place *key)
{
    struct cop_place row = {BUS_DATA, key->element};
    uint64_t v;
    if (n->format != FORMAT_PCX || cop_peek(s->cop, &row, &v) != ST_OK)
        return 0;
    return slot_pcx_apart(0, isa_lane_of(v, n->mixed), isa_lanes[n->mixed].width);
}

/* Evaluates an element's index and returns its place. */
static enum status formula_value_locate(const struct formula *f, const struct formula_node *n,
                                        const struct formula_scope *s, struct cop_place *place, struct errmsg *err)
{
    struct integer index;
    char shown[INTEGER_SHOWN];
    enum status st = formula_value_of(f, n->x, s, &index, err);
    if (st != ST_OK)
        return st;
    if (index.bits >= n->most)
        return fail(err, ST_RANGE, "%s has elements 0 to %u: there is no %s", n->name, n->most - 1,
                    integer_show(shown, index));
    *place = (struct cop_place){n->place.region, n->place.element | (unsigned)index.bits};
    return ST_OK;
}

static enum status formula_value_read_place(const struct formula_scope *s, const struct formula_node *n,
                                            const struct cop_place *place, uint64_t *v, struct errmsg *err)
{
    if (place->region == BUS_HEAD && cop_queued(s->cop) == 0)
        return fail(err, ST_RANGE, "%s: there is no sample at the head", n->name);
    if (cop_peek(s->cop, place, v) != ST_OK)
        return fail(err, ST_RANGE, "%s cannot be read", n->name);
    if (n->width < FORMULA_WHOLE)
        *v = *v >> n->low & ((UINT64_C(1) << n->width) - 1);
    return ST_OK;
}

static enum status head_class(const struct formula_scope *s, struct integer *v, struct errmsg *err)
{
    struct cop_record r;
    if (!cop_record(s->cop, 0, &r))
        return fail(err, ST_RANGE, "class: there is no sample at the head");
    *v = integer_of((uint64_t)r.opclass);
    return ST_OK;
}

static enum status unary(const struct formula *f, const struct formula_node *n, const struct formula_scope *s,
                         struct integer *v, struct errmsg *err)
{
    struct integer_error why;
    enum status st = formula_value_of(f, n->x, s, v, err);
    if (st != ST_OK)
        return st;
    return integer_unary(n->op, *v, v, &why) == ST_OK ? ST_OK : fail_operation(f, n, &why, err);
}

/* && and || evaluate the right operand only if the left one does not determine the result. */
static enum status binary(const struct formula *f, const struct formula_node *n, const struct formula_scope *s,
                          struct integer *v, struct errmsg *err)
{
    struct integer a, b;
    struct integer_error why;
    enum status st = formula_value_of(f, n->x, s, &a, err);
    if (st != ST_OK)
        return st;
    if ((n->op == INTEGER_BOTH && a.bits == 0) || (n->op == INTEGER_EITHER && a.bits != 0)) {
        *v = integer_of(a.bits != 0);
        return ST_OK;
    }
    st = formula_value_of(f, n->y, s, &b, err);
    if (st != ST_OK)
        return st;
    return integer_binary(n->op, a, b, v, &why) == ST_OK ? ST_OK : fail_operation(f, n, &why, err);
}

static enum status memory(const struct formula *f, const struct formula_node *n, const struct formula_scope *s,
                          struct integer *v, struct errmsg *err)
{
    uint64_t value;
    enum status st = formula_value_of(f, n->x, s, v, err);
    if (st == ST_OK && !s->guest_memory(s->ctx, v->bits, &value))
        return fail(err, ST_RANGE, "mem: the guest has no memory at 0x%llx", (unsigned long long)v->bits);
    if (st == ST_OK)
        *v = integer_of(value);
    return st;
}

static enum status element(const struct formula *f, const struct formula_node *n, const struct formula_scope *s,
                           struct integer *v, struct errmsg *err)
{
    struct cop_place place;
    uint64_t held;
    enum status st = formula_value_locate(f, n, s, &place, err);
    if (st != ST_OK)
        return st;
    if (n->kind == NODE_COUNT) {
        *v = integer_of(cop_word_count(s->cop, place.element));
        return ST_OK;
    }
    st = formula_value_read_place(s, n, &place, &held, err);
    if (st != ST_OK)
        return st;
    if (is_encoded(n))
        held = slot_format_value(n->format, held ^ mixed_with(n, s, &place), bits_of(n));
    *v = print_of(n) == PRINT_SIGNED ? integer_of(held) : integer_of_unsigned(held);
    return ST_OK;
}

/* Registers of the guest are signed, as C's long is. */
static enum status formula_value_guest_register(const struct formula_node *n, const struct formula_scope *s,
                                                struct integer *v, struct errmsg *err)
{
    uint64_t value;
    if (s->guest_register == NULL || !s->guest_register(s->ctx, n->name, &value))
        return fail(err, ST_RANGE, "$%s: there is no guest", n->name);
    *v = integer_of(value);
    return ST_OK;
}

/* The registers and fields of the co-processor are unsigned, as they are to its words. */
static enum status place_value(const struct formula_node *n, const struct formula_scope *s, struct integer *v,
                               struct errmsg *err)
{
    uint64_t held;
    enum status st = formula_value_read_place(s, n, &n->place, &held, err);
    if (st == ST_OK)
        *v = integer_of_unsigned(held);
    return st;
}

static enum status formula_value_of(const struct formula *f, unsigned at, const struct formula_scope *s,
                                    struct integer *v, struct errmsg *err)
{
    const struct formula_node *n = &f->node[at];
    *v = integer_of(0);
    switch (n->kind) {
    case NODE_NUMBER:
        *v = n->number;
        break;
    case NODE_PLACE:
        return place_value(n, s, v, err);
    case NODE_WORD:
        *v = integer_of(cop_pc(s->cop));
        break;
    case NODE_POSITION:
        *v = integer_of(s->position);
        break;
    case NODE_SAMPLE:
        *v = integer_of(s->samples);
        break;
    case NODE_NOW:
        *v = integer_of(cop_cycle(s->cop));
        break;
    case NODE_CLASS:
        return head_class(s, v, err);
    case NODE_REGISTER:
        return formula_value_guest_register(n, s, v, err);
    case NODE_MEMORY:
        return memory(f, n, s, v, err);
    case NODE_ELEMENT:
    case NODE_COUNT:
        return element(f, n, s, v, err);
    case NODE_UNARY:
        return unary(f, n, s, v, err);
    case NODE_BINARY:
        return binary(f, n, s, v, err);
    }
    return ST_OK;
}

enum status formula_value(const struct formula *f, const struct formula_scope *scope, struct integer *value,
                          struct errmsg *err)
{
    return formula_value_of(f, f->root, scope, value, err);
}

/* Returns whether the expression is constant. */
static bool is_constant(const struct formula *f, unsigned at)
{
    const struct formula_node *n = &f->node[at];
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

/* Whether the right operand alone can leave the operation without a value: 0 behind / and %, a width of a shift. */
static bool right_decides(const struct formula *f, const struct formula_node *n)
{
    return n->kind == NODE_BINARY && is_constant(f, n->y) &&
           (n->op == INTEGER_DIV || n->op == INTEGER_REM || n->op == INTEGER_SHL || n->op == INTEGER_SHR);
}

static enum status vet_right(const struct formula *f, const struct formula_node *n, const struct formula_scope *scope,
                             struct errmsg *err)
{
    struct integer y, ignored;
    struct integer_error why;
    enum status st = formula_value_of(f, n->y, scope, &y, err);
    if (st == ST_OK && integer_binary(n->op, integer_of(0), y, &ignored, &why) != ST_OK)
        st = fail_operation(f, n, &why, err);
    return st;
}

enum status formula_vet(const struct formula *f, const struct formula_scope *scope, struct errmsg *err)
{
    enum status st = ST_OK;
    for (unsigned i = 0; i < f->count && st == ST_OK; i++) {
        const struct formula_node *n = &f->node[i];
        struct cop_place place;
        struct integer value;
        if ((n->kind == NODE_BINARY || n->kind == NODE_UNARY) && is_constant(f, i))
            st = formula_value_of(f, i, scope, &value, err);
        else if (right_decides(f, n))
            st = vet_right(f, n, scope, err);
        else if ((n->kind == NODE_ELEMENT || n->kind == NODE_COUNT) && is_constant(f, n->x))
            st = formula_value_locate(f, n, scope, &place, err);
    }
    return st;
}

enum slot_print formula_print(const struct formula *f) { return print_of(&f->node[f->root]); }

enum status formula_as_cell(const struct formula *f, const struct formula_scope *scope, struct formula_cell *cell,
                            struct errmsg *err)
{
    const struct formula_node *n = &f->node[f->root];
    *cell = (struct formula_cell){
        .kind = CELL_PLACE, .place = n->place, .low = n->low, .width = n->width, .format = FORMAT_NONE};
    if (n->kind == NODE_WORD) {
        cell->kind = CELL_WORD;
    } else if (n->kind == NODE_ELEMENT) {
        enum status st = formula_value_locate(f, n, scope, &cell->place, err);
        cell->format = is_encoded(n) ? n->format : FORMAT_NONE;
        cell->bits = (uint8_t)bits_of(n);
        cell->mixed = st == ST_OK ? mixed_with(n, scope, &cell->place) : 0;
        return st;
    } else if (n->kind != NODE_PLACE)
        return fail(err, ST_INPUT, "expected a register, a field, a cell or word on the left of =");
    return ST_OK;
}

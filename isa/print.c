/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The disassembler of microinstructions. Entry point: isa_print. */
#include <stdarg.h>
#include <stdio.h>

#include "base/status.h"
#include "isa/isa.h"

struct print_buffer {
    char *buf;
    size_t size, used; /* `used` includes truncated output, as snprintf's result does */
    bool started;      /* an operation has been printed: the next one is preceded by a bar */
};

static void print_put(struct print_buffer *t, const char *fmt, ...) PRINTF_LIKE(2, 3);

static void print_put(struct print_buffer *t, const char *fmt, ...)
{
    va_list ap;
    size_t room = t->used < t->size ? t->size - t->used : 0;
    va_start(ap, fmt);
    int n = vsnprintf(room ? t->buf + t->used : NULL, room, fmt, ap);
    va_end(ap);
    t->used += (size_t)n;
}

static void begin_op(struct print_buffer *t)
{
    if (t->started)
        print_put(t, " | ");
    t->started = true;
}

static void put_named(struct print_buffer *t, const char *const *names, char letter, unsigned n)
{
    if (names != NULL && names[n] != NULL)
        print_put(t, "%s", names[n]);
    else
        print_put(t, "%c%u", letter, n);
}

static void put_reg(struct print_buffer *t, const char *const *names, enum isa_regfile f, unsigned n)
{
    put_named(t, names, isa_regfiles[f].letter, n);
}

static void put_b(struct print_buffer *t, const struct uop *u, const struct isa_names *names)
{
    const struct isa_bsrc_row *row = isa_find_bsrc(u->b);
    if (row == NULL) {
        print_put(t, "?");
        return;
    }
    unsigned n = (unsigned)u->b - row->code;
    switch (row->code) {
    case BSRC_INDEX:
        put_reg(t, names->indexes, REG_INDEX, u->ir);
        break;
    case BSRC_VALUE:
        put_reg(t, names->values, REG_VALUE, n);
        break;
    case BSRC_CONST:
        put_reg(t, names->consts, REG_CONST, n);
        break;
    case BSRC_FIELD:
        put_named(t, names->fields, row->name[0], n);
        break;
    default:
        print_put(t, row->count > 1 ? "%s%u" : "%s", row->name, n);
    }
}

/* BASE[INDEX] */
static void print_put_address(struct print_buffer *t, const struct uop *u, const struct isa_names *names)
{
    put_reg(t, names->bases, REG_BASE, u->base);
    print_put(t, "[");
    put_reg(t, names->indexes, REG_INDEX, u->ir);
    print_put(t, "]");
}

static void print_put_data(struct print_buffer *t, const struct uop *u, const struct isa_names *names)
{
    const struct isa_op_row *op = isa_find_op(UNIT_DATA, u->data);
    if (op == NULL)
        return;
    const char *lane = names->lane != NULL ? names->lane(names->ctx, u->base, u->lane) : NULL;
    begin_op(t);
    print_put(t, "%s ", op->mnemonic);
    print_put_address(t, u, names);
    print_put(t, ".%s", lane != NULL ? lane : u->lane < LANE_COUNT ? isa_lanes[u->lane].name : "?");
    if (isa_form_uses_b(op->form)) {
        print_put(t, ", ");
        put_b(t, u, names);
    }
    if (u->vsrc == VSRC_LANE || u->vsrc == VSRC_ROW) {
        print_put(t, u->vsrc == VSRC_ROW ? " -> row " : " -> ");
        put_reg(t, names->values, REG_VALUE, u->vdst);
    }
}

static void put_cam(struct print_buffer *t, const struct uop *u, const struct isa_names *names)
{
    const struct isa_op_row *op = isa_find_op(UNIT_CAM, u->cam);
    if (op == NULL)
        return;
    begin_op(t);
    print_put(t, "%s ", op->mnemonic);
    if (op->form == FORM_MATCH)
        put_reg(t, names->bases, REG_BASE, u->base);
    else
        print_put_address(t, u, names);
    if (isa_has_wide_key(u, names->wide)) {
        print_put(t, ", ");
        put_reg(t, names->values, REG_VALUE, u->a);
    }
    if (isa_form_uses_b(op->form)) {
        print_put(t, ", ");
        put_b(t, u, names);
    }
    if (op->form == FORM_MATCH) {
        print_put(t, " -> ");
        put_reg(t, names->indexes, REG_INDEX, u->iw);
    }
}

static void put_alu(struct print_buffer *t, const struct uop *u, const struct isa_names *names)
{
    const struct isa_op_row *op = isa_find_op(UNIT_ALU, u->alu);
    if (op == NULL)
        return;
    begin_op(t);
    print_put(t, "%s%s ", op->mnemonic, u->narrow ? ".32" : "");
    if (isa_form_uses_a(op->form)) {
        put_reg(t, names->values, REG_VALUE, u->a);
        print_put(t, ", ");
    }
    put_b(t, u, names);
    if (u->vsrc == VSRC_ALU) {
        print_put(t, " -> ");
        put_reg(t, names->values, REG_VALUE, u->vdst);
    }
    if (u->idx == IDX_ALU) {
        print_put(t, u->vsrc == VSRC_ALU ? ", " : " -> ");
        put_reg(t, names->indexes, REG_INDEX, u->iw);
    }
}

static void put_idx(struct print_buffer *t, const struct uop *u, const struct isa_names *names)
{
    const struct isa_op_row *op = isa_find_op(UNIT_IDX, u->idx);
    if (op == NULL || op->mnemonic[0] == '\0')
        return;
    begin_op(t);
    print_put(t, "%s ", op->mnemonic);
    put_reg(t, names->indexes, REG_INDEX, op->reads_index ? u->ir : u->iw);
    if (op->reads_index && op->writes_index && u->ir != u->iw) {
        print_put(t, " -> ");
        put_reg(t, names->indexes, REG_INDEX, u->iw);
    }
}

static void put_target(struct print_buffer *t, const struct uop *u, unsigned pc, const struct isa_names *names)
{
    if (u->target == TARGET_DONE) {
        print_put(t, "done");
    } else if (u->target == TARGET_INTERRUPT) {
        print_put(t, "interrupt");
    } else if (u->target < TARGET_DONE) {
        print_put(t, "goto %c%u", isa_regfiles[REG_TARGET].letter, u->target);
    } else {
        int to = (int)pc + isa_target_offset(u->target);
        if (to >= 0 && to < ISA_WORDS && names->labels != NULL && names->labels[to] != NULL)
            print_put(t, "goto %s", names->labels[to]);
        else
            print_put(t, "goto @%d", to);
    }
}

static void put_branch(struct print_buffer *t, const struct uop *u, unsigned pc, const struct isa_names *names)
{
    const struct isa_cond_row *c = isa_find_cond(u->cond);
    if (u->cond == COND_NEVER && !u->invert)
        return;
    begin_op(t);
    if (u->cond != COND_NEVER)
        print_put(t, "if %s ", c == NULL ? "?" : u->invert ? c->inverse : c->name);
    put_target(t, u, pc, names);
}

int isa_print(char *buf, size_t size_bytes, const struct uop *u, unsigned pc, const struct isa_names *names)
{
    static const struct isa_names plain;
    struct print_buffer t = {.buf = buf, .size = size_bytes};
    if (names == NULL)
        names = &plain;
    if (size_bytes > 0)
        buf[0] = '\0';
    put_cam(&t, u, names);
    print_put_data(&t, u, names);
    put_alu(&t, u, names);
    put_idx(&t, u, names);
    put_branch(&t, u, pc, names);
    if (!t.started)
        print_put(&t, "nop");
    return (int)t.used;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random legal words and random samples, for tests with random programs. Operations, operands, conditions and lanes
 * are drawn from the tables of isa.def, so a new row is among them. The same seed gives the same program on every
 * machine. */
#ifndef TESTS_UNIT_RANDOM_PROGRAM_H
#define TESTS_UNIT_RANDOM_PROGRAM_H

#include "base/random.h"
#include "isa/image.h"

/* An operand of bus B: a row of the table, more often one of the groups, and of a group any of its codes. */
static inline uint8_t random_operand(struct random *r, unsigned fields)
{
    bool group = random_chance(r, 75);
    for (;;) {
        const struct isa_bsrc_row *row = &isa_bsrcs[random_below(r, (unsigned)isa_bsrc_count)];
        unsigned count = row->code == BSRC_FIELD ? fields : row->count;
        if (row->code != BSRC_NONE && (row->count > 1) == group && count > 0)
            return (uint8_t)(row->code + random_below(r, count));
    }
}

/* Any row of a unit, the idle one included. */
static inline uint8_t random_operation(struct random *r, enum isa_unit unit)
{
    for (;;) {
        const struct isa_op_row *row = &isa_ops[random_below(r, (unsigned)isa_op_count)];
        if (row->unit == unit)
            return row->code;
    }
}

/* Operations that can often be combined; the selectors of their ports are still open. */
static inline struct uop random_operations(struct random *r)
{
    struct uop u = {0};
    if (random_chance(r, 60))
        u.alu = random_operation(r, UNIT_ALU);
    if (random_chance(r, 50))
        u.data = random_operation(r, UNIT_DATA);
    if (random_chance(r, 50))
        u.idx = random_operation(r, UNIT_IDX);
    if (random_chance(r, 40))
        u.cam = random_operation(r, UNIT_CAM);
    if ((u.cam == CAM_MATCH) != (u.idx == IDX_MATCH))
        u.idx = u.cam == CAM_MATCH ? IDX_MATCH : IDX_NONE;
    u.vsrc = (uint8_t)random_below(r, VSRC_COUNT);
    u.narrow = u.alu != ALU_NONE && random_chance(r, 40);
    return u;
}

static inline void random_selectors(struct random *r, struct uop *u, unsigned fields, unsigned wide)
{
    struct isa_use use = isa_uses(u, wide);
    if (use.b)
        u->b = random_operand(r, fields);
    u->base = use.base ? (uint8_t)random_below(r, ISA_BASES) : 0;
    use = isa_uses(u, wide);
    u->a = use.a ? (uint8_t)random_below(r, ISA_VALUES) : 0;
    u->lane = use.lane ? (uint8_t)random_below(r, LANE_COUNT) : 0;
    u->ir = use.index_read ? (uint8_t)random_below(r, ISA_INDEXES) : 0;
    u->iw = use.index_write ? (uint8_t)random_below(r, ISA_INDEXES) : 0;
    if (use.index_read && use.index_write && random_chance(r, 60))
        u->iw = u->ir;
    u->vdst = u->vsrc != VSRC_NONE ? (uint8_t)random_below(r, ISA_VALUES) : 0;
}

/* A legal word without a branch, of a program with these wide base registers. */
static inline struct uop random_straight_word(struct random *r, unsigned fields, unsigned wide)
{
    struct uop u;
    do {
        u = random_operations(r);
        random_selectors(r, &u, fields, wide);
    } while (isa_check(&u, wide) != NULL);
    return u;
}

/* A legal word, four of five with a conditional branch to that target, where its operations allow one. */
static inline struct uop random_word(struct random *r, unsigned fields, unsigned wide, uint8_t target)
{
    struct uop plain = random_straight_word(r, fields, wide);
    for (int tries = 0; tries < 8 && random_chance(r, 80); tries++) {
        struct uop u = plain;
        u.cond = isa_conds[random_below(r, (unsigned)isa_cond_count)].code;
        u.invert = random_chance(r, 50);
        u.target = target;
        if (u.cond != COND_NEVER && isa_check(&u, wide) == NULL)
            return u;
    }
    return plain;
}

/* A sample of the class given, each of its fields within its width and often one of few values, so that keys come
 * again. */
static inline void random_sample(struct random *r, enum opclass c, uint64_t cycle, struct sample *s)
{
    *s = (struct sample){.opclass = c, .cycle = cycle};
    for (unsigned f = 0; f < FIELD_COUNT; f++) {
        unsigned width = sample_fields[f].width_bits;
        uint64_t v = random_chance(r, 60) ? 0x1000 + random_below(r, 12) : random_number(r);
        s->field[f] = width == 64 ? v : v & ((UINT64_C(1) << width) - 1);
    }
}

#endif

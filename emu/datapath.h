/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Execute stage of one microinstruction: all its units operate in parallel. Each unit reads the state that the previous
 * word left; writes take effect at the end of the cycle. The branch condition tests the results of the same word, those
 * of the CAM included. Source: co-processor paper, section 3.3; the rows of isa.def. Inline, for the sequencer's
 * loop. */
#ifndef EMU_DATAPATH_H
#define EMU_DATAPATH_H

#include "emu/cop_state.h"

/* The operations of a word. For a constant kind the compiler specialises datapath_execute. */
struct kind {
    uint8_t cam, data, alu, idx, cond, vsrc; /* enum isa_cam, isa_data, isa_alu, isa_idx, isa_cond, isa_vsrc */
    bool narrow;
};

/* Kind numbers: the kinds of emu/words.def with specialised code; all other words, which run generic code; the copy of
 * the first word behind the last; words that are not executed. */
enum {
#define WORD(name, when, ...) KIND_##name##_##when,
#include "emu/words.def"
    KIND_ANY,
    KIND_FIRST,
    KIND_STOP,
    KINDS
};

#define INLINE static inline __attribute__((always_inline))

INLINE void run_alu(struct cop_units *y, bool narrow, enum isa_alu op)
{
    uint64_t ones = narrow ? UINT32_MAX : UINT64_MAX, a = y->a & ones, b = y->b & ones, r = 0;
    switch (op) {
    case ALU_NONE:
    case ALU_CMP:
        break;
    case ALU_MOV:
        r = b;
        break;
    case ALU_ADD:
        r = a + b;
        break;
    case ALU_SUB:
        r = a - b;
        break;
    case ALU_ADDS:
        y->clipped = b > ones - a;
        r = y->clipped ? ones : a + b;
        break;
    case ALU_SUBS:
        y->clipped = b > a;
        r = y->clipped ? 0 : a - b;
        break;
    case ALU_AND:
        r = a & b;
        break;
    case ALU_OR:
        r = a | b;
        break;
    case ALU_XOR:
        r = a ^ b;
        break;
    case ALU_BIC:
        r = a & ~b;
        break;
    case ALU_SHL1:
        r = b << 1;
        break;
    case ALU_SHL2:
        r = b << 2;
        break;
    case ALU_SHR1:
        r = b >> 1;
        break;
    case ALU_SHR8:
        r = b >> 8;
        break;
    case ALU_SHR16:
        r = b >> 16;
        break;
    }
    y->a = a;
    y->b = b;
    y->alu = r & ones;
}

/* The new lane value; sets y->full if the lane is saturated in the operation's direction. Counting operations saturate
 * both operand and result; store operations truncate the operand. */
INLINE uint64_t count_lane(struct cop_units *y, enum isa_data op, uint64_t old, uint64_t bus, uint64_t ones)
{
    uint64_t lane = old, b = bus > ones ? ones : bus;
    bool up = true;
    switch (op) {
    case DATA_NONE:
    case DATA_LD:
        break;
    case DATA_ST:
    case DATA_XCHG:
        lane = bus & ones;
        break;
    case DATA_INC:
        lane = old + (old != ones);
        break;
    case DATA_DEC:
        lane = old - (old != 0);
        up = false;
        break;
    case DATA_ADD:
        lane = b > ones - old ? ones : old + b;
        break;
    case DATA_SUB:
        lane = b > old ? 0 : old - b;
        up = false;
        break;
    case DATA_MAX:
        lane = b > old ? b : old;
        break;
    case DATA_MIN:
        lane = b < old ? b : old;
        up = false;
        break;
    case DATA_OR:
        lane = old | (bus & ones);
        break;
    }
    y->full = lane == (up ? ones : 0);
    return lane;
}

INLINE void run_data(struct cop *c, struct cop_units *y, const struct decoded_word *w, enum isa_data op)
{
    unsigned low = w->lane_low;
    uint64_t ones = w->lane_mask;
    uint64_t *row = &c->data[y->address & w->row_mask], old = *row >> low & ones;
    uint64_t lane = count_lane(y, op, old, y->b, ones);
    if (op != DATA_LD)
        *row += (lane - old) << low;
    y->same = old == (y->b & ones);
    y->lane = op == DATA_XCHG ? old : lane;
    y->row = *row;
}

INLINE void run_cam(struct cop *c, struct cop_units *y, const struct decoded_word *w, enum isa_cam op)
{
    unsigned entry = y->address & (c->cam.entries - 1);
    uint64_t key = (y->a << 32 & w->key_high) | (uint32_t)y->b;
    switch (op) {
    case CAM_NONE:
        break;
    case CAM_MATCH:
        y->entry = cam_match(&c->cam, key, w->first, w->count);
        if (y->entry >= 0)
            y->entry -= w->first;
        break;
    case CAM_WRITE:
        cam_write(&c->cam, entry, key);
        break;
    case CAM_DROP:
        cam_set_valid(&c->cam, entry, false);
        break;
    }
}

/* The incrementer: one step in the width and mode of the destination register; the source register may be wider. */
INLINE void datapath_step_index(struct cop_units *y, const struct decoded_word *w, bool up, uint16_t old)
{
    uint16_t index_max = w->index_max;
    bool at_end = up ? old >= index_max : old == 0;
    if (w->saturates) {
        y->index = at_end ? (up ? index_max : 0) : (uint16_t)(up ? old + 1 : old - 1 < index_max ? old - 1 : index_max);
        y->index_limit = y->index == (up ? index_max : 0);
    } else {
        y->index = (uint16_t)((up ? old + 1 : old - 1) & index_max);
        y->index_limit = at_end;
    }
}

INLINE void run_index(struct cop *c, struct cop_units *y, const struct decoded_word *w, enum isa_idx op)
{
    uint16_t old = (uint16_t)c->operand[w->ir];
    switch (op) {
    case IDX_NONE:
        return;
    case IDX_INC:
    case IDX_DEC:
        datapath_step_index(y, w, op == IDX_INC, old);
        break;
    case IDX_CLR:
        y->index = 0;
        break;
    case IDX_MATCH:
        if (y->entry < 0)
            return;
        y->index = (uint16_t)y->entry;
        break;
    case IDX_ALU:
        y->index = (uint16_t)(y->alu & w->index_max);
        break;
    case IDX_TEST:
        y->index = old;
        y->index_limit = old == w->index_max;
        return;
    }
    c->operand[w->iw] = y->index;
}

INLINE bool datapath_condition(const struct cop_units *y, bool narrow, enum isa_cond cond)
{
    switch (cond) {
    case COND_NEVER:
        return false;
    case COND_EQ:
        return y->a == y->b;
    case COND_LT:
        return y->a < y->b;
    case COND_LTS:
        return narrow ? (int32_t)y->a < (int32_t)y->b : (int64_t)y->a < (int64_t)y->b;
    case COND_ZERO:
        return y->alu == 0;
    case COND_CLIP:
        return y->clipped;
    case COND_FULL:
        return y->full;
    case COND_EMPTY:
        return y->lane == 0;
    case COND_LIMIT:
        return y->index_limit;
    case COND_IZERO:
        return y->index == 0;
    case COND_HIT:
        return y->entry >= 0;
    case COND_SAME:
        return y->same;
    }
    return false;
}

/* Executes a word of kind `k`; returns whether its branch is taken. */
INLINE bool datapath_execute(struct cop *c, const struct decoded_word *w, struct cop_units *y, struct kind k)
{
    y->a = c->operand[w->a];
    y->b = c->operand[w->b];
    y->address = w->base | (unsigned)c->operand[w->ir];
    y->entry = -1;
    y->alu = y->lane = y->row = 0;
    y->index = 0;
    y->clipped = y->full = y->same = y->index_limit = false;
    if (k.cam != CAM_NONE)
        run_cam(c, y, w, k.cam);
    if (k.data != DATA_NONE)
        run_data(c, y, w, k.data);
    if (k.alu != ALU_NONE)
        run_alu(y, k.narrow, k.alu);
    if (k.idx != IDX_NONE)
        run_index(c, y, w, k.idx);
    if (k.data != DATA_NONE || k.alu != ALU_NONE)
        c->operand[w->value] = k.vsrc == VSRC_ALU ? y->alu : k.vsrc == VSRC_ROW ? y->row : y->lane;
    return datapath_condition(y, k.narrow, k.cond) != w->invert;
}

/* The operand slot that drives bus B. Each code of a group has its own slot; the slots of the LFSR codes are filled
 * before the word executes. */
INLINE unsigned slot_of_bus_b(const struct uop *u)
{
    switch ((enum isa_bsrc)isa_find_bsrc(u->b)->code) {
    case BSRC_INDEX:
        return SLOT_INDEX + u->ir;
    case BSRC_NONE: /* slots of these two codes are never written and read as 0 */
    case BSRC_ZERO:
    case BSRC_RND4:
    case BSRC_RND8:
    case BSRC_RND16:
    case BSRC_VALUE:
    case BSRC_CONST:
    case BSRC_FIELD:
        break;
    }
    return u->b;
}

INLINE struct kind datapath_kind_of(const struct uop *u)
{
    return (struct kind){u->cam, u->data, u->alu, u->idx, u->cond, u->vsrc, u->narrow};
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effects of words, unit by unit. Entry points: isa_machine_init, isa_machine_execute. The switches have no default, so
 * a row of isa.def without a case is a compile error. Words are legal (isa_check), so reserved codes do not occur. */
#include "isa/semantics.h"

#include <string.h>

/* Results of a word's units. */
struct result {
    uint64_t a, b, alu, lane, row;
    bool clipped, full, same, limit, hit;
    unsigned index;
};

uint64_t isa_ones(unsigned bits)
{
    uint64_t v = 0;
    while (bits-- > 0)
        v = v << 1 | 1;
    return v;
}

static uint64_t drive_b(const struct isa_machine *m, const struct uop *u)
{
    const struct isa_bsrc_row *row = isa_find_bsrc(u->b);
    unsigned n = u->b - row->code;
    switch ((enum isa_bsrc)row->code) {
    case BSRC_NONE:
    case BSRC_ZERO:
        return 0;
    case BSRC_INDEX:
        return m->index[u->ir];
    case BSRC_RND4:
        return m->lfsr % 16;
    case BSRC_RND8:
        return m->lfsr % 256;
    case BSRC_RND16:
        return m->lfsr;
    case BSRC_VALUE:
        return m->value[n];
    case BSRC_CONST:
        return m->constant[n];
    case BSRC_FIELD:
        return m->field[n];
    }
    return 0;
}

/* The ALU's result before truncation to the width given by `most`; sets *clipped if it saturated. */
static uint64_t semantics_compute(enum isa_alu op, uint64_t a, uint64_t b, uint64_t most, bool *clipped)
{
    uint64_t sum;
    switch (op) {
    case ALU_NONE:
    case ALU_CMP:
        return 0;
    case ALU_MOV:
        return b;
    case ALU_ADD:
        return a + b;
    case ALU_SUB:
        return a - b;
    case ALU_ADDS:
        *clipped = __builtin_add_overflow(a, b, &sum) || sum > most;
        return *clipped ? most : sum;
    case ALU_SUBS:
        *clipped = a < b;
        return *clipped ? 0 : a - b;
    case ALU_AND:
        return a & b;
    case ALU_OR:
        return a | b;
    case ALU_XOR:
        return a ^ b;
    case ALU_BIC:
        return a & ~b;
    case ALU_SHL1:
        return b * 2;
    case ALU_SHL2:
        return b * 4;
    case ALU_SHR1:
        return b / 2;
    case ALU_SHR8:
        return b / 256;
    case ALU_SHR16:
        return b / 65536;
    }
    return 0;
}

static void do_alu(const struct uop *u, struct result *y)
{
    uint64_t most = isa_ones(u->narrow ? 32 : 64);
    y->a &= most;
    y->b &= most;
    y->alu = semantics_compute((enum isa_alu)u->alu, y->a, y->b, most, &y->clipped) & most;
}

/* Saturating addition. */
static uint64_t add_clipped(uint64_t lane, uint64_t b, uint64_t most)
{
    uint64_t sum;
    return __builtin_add_overflow(lane, b, &sum) || sum > most ? most : sum;
}

/* The new lane value; sets *down if the operation saturates at 0. */
static uint64_t semantics_change_lane(enum isa_data op, uint64_t lane, uint64_t b, uint64_t most, bool *down)
{
    switch (op) {
    case DATA_NONE:
    case DATA_LD:
        return lane;
    case DATA_ST:
    case DATA_XCHG:
        return b & most;
    case DATA_INC:
        return add_clipped(lane, 1, most);
    case DATA_DEC:
        *down = true;
        return lane < 1 ? 0 : lane - 1;
    case DATA_ADD:
        return add_clipped(lane, b, most);
    case DATA_SUB:
        *down = true;
        return lane < b ? 0 : lane - b;
    case DATA_MAX:
        return b > most ? most : b > lane ? b : lane;
    case DATA_MIN:
        *down = true;
        return b < lane ? b : lane;
    case DATA_OR:
        return lane | (b & most);
    }
    return lane;
}

static void do_data(struct isa_machine *m, const struct uop *u, unsigned address, struct result *y)
{
    const struct isa_lane_row *l = &isa_lanes[u->lane];
    uint64_t most = isa_ones(l->width), *row = &m->row[address % m->rows], old = *row >> l->low & most;
    bool down = false;
    uint64_t lane = semantics_change_lane((enum isa_data)u->data, old, y->b, most, &down);
    y->full = lane == (down ? 0 : most);
    y->same = old == (y->b & most);
    for (unsigned bit = 0; bit < l->width; bit++) {
        *row &= ~(UINT64_C(1) << (l->low + bit));
        *row |= (lane >> bit & 1) << (l->low + bit);
    }
    y->lane = u->data == DATA_XCHG ? old : lane;
    y->row = *row;
}

static uint64_t key(const struct isa_machine *m, const struct uop *u, const struct result *y)
{
    uint64_t high = m->wide >> u->base & 1 ? (uint32_t)y->a : 0;
    return high << 32 | (uint32_t)y->b;
}

static void do_match(const struct isa_machine *m, const struct uop *u, struct result *y)
{
    unsigned size = 1u << m->width[u->iw], first = m->base[u->base];
    size = size < m->entries ? size : m->entries;
    first = first % m->entries / size * size;
    for (unsigned i = 0; i < size && !y->hit; i++)
        if (m->valid[first + i] && m->tag[first + i] == key(m, u, y)) {
            y->hit = true;
            y->index = i;
        }
}

static void do_cam(struct isa_machine *m, const struct uop *u, unsigned address, struct result *y)
{
    unsigned entry = address % m->entries;
    switch ((enum isa_cam)u->cam) {
    case CAM_NONE:
        break;
    case CAM_MATCH:
        do_match(m, u, y);
        break;
    case CAM_WRITE:
        m->tag[entry] = key(m, u, y);
        m->valid[entry] = true;
        break;
    case CAM_DROP:
        m->valid[entry] = false;
        break;
    }
}

/* One step up or down in the width and mode of the destination register; the source register may be wider. */
static void semantics_step_index(struct result *y, int old, int step, int most, bool saturates)
{
    int n = old + step, end = step > 0 ? most : 0;
    if (saturates) {
        n = n < 0 ? 0 : n > most ? most : n;
        y->limit = n == end;
    } else {
        y->limit = step > 0 ? n > most : n < 0;
    }
    y->index = (unsigned)(n & most);
}

/* Computes the index unit's result; returns whether it is written. */
static bool do_index(const struct isa_machine *m, const struct uop *u, struct result *y)
{
    int old = (int)m->index[u->ir], most = (int)isa_ones(m->width[u->iw]);
    switch ((enum isa_idx)u->idx) {
    case IDX_NONE:
        return false;
    case IDX_INC:
    case IDX_DEC:
        semantics_step_index(y, old, u->idx == IDX_INC ? 1 : -1, most, m->saturates[u->iw]);
        return true;
    case IDX_CLR:
        y->index = 0;
        return true;
    case IDX_MATCH:
        return y->hit;
    case IDX_ALU:
        y->index = (unsigned)(y->alu & (uint64_t)most);
        return true;
    case IDX_TEST:
        y->index = (unsigned)old;
        y->limit = (unsigned)old == isa_ones(m->width[u->ir]);
        return false;
    }
    return false;
}

static bool semantics_condition(const struct uop *u, const struct result *y)
{
    int64_t a = u->narrow ? (int32_t)y->a : (int64_t)y->a, b = u->narrow ? (int32_t)y->b : (int64_t)y->b;
    switch ((enum isa_cond)u->cond) {
    case COND_NEVER:
        return false;
    case COND_EQ:
        return y->a == y->b;
    case COND_LT:
        return y->a < y->b;
    case COND_LTS:
        return a < b;
    case COND_ZERO:
        return y->alu == 0;
    case COND_CLIP:
        return y->clipped;
    case COND_FULL:
        return y->full;
    case COND_EMPTY:
        return y->lane == 0;
    case COND_LIMIT:
        return y->limit;
    case COND_IZERO:
        return y->index == 0;
    case COND_HIT:
        return y->hit;
    case COND_SAME:
        return y->same;
    }
    return false;
}

static void semantics_write_value(struct isa_machine *m, const struct uop *u, const struct result *y)
{
    switch ((enum isa_vsrc)u->vsrc) {
    case VSRC_NONE:
        break;
    case VSRC_ALU:
        m->value[u->vdst] = y->alu;
        break;
    case VSRC_LANE:
        m->value[u->vdst] = y->lane;
        break;
    case VSRC_ROW:
        m->value[u->vdst] = y->row;
        break;
    }
}

unsigned isa_step_lfsr(unsigned lfsr)
{
    for (int step = 0; step < 4; step++) {
        unsigned out = lfsr & 1;
        lfsr >>= 1;
        lfsr ^= out << 15 | out << 13 | out << 12 | out << 10;
    }
    return lfsr;
}

bool isa_machine_execute(struct isa_machine *m, const struct uop *u)
{
    unsigned address = m->base[u->base] | m->index[u->ir];
    struct result y = {.a = m->value[u->a], .b = drive_b(m, u)};
    if (u->cam != CAM_NONE)
        do_cam(m, u, address, &y);
    if (u->data != DATA_NONE)
        do_data(m, u, address, &y);
    if (u->alu != ALU_NONE)
        do_alu(u, &y);
    if (do_index(m, u, &y))
        m->index[u->iw] = y.index;
    semantics_write_value(m, u, &y);
    m->lfsr = isa_step_lfsr(m->lfsr);
    return semantics_condition(u, &y) != u->invert;
}

void isa_machine_init(struct isa_machine *m, const struct image *im, unsigned entries, unsigned rows)
{
    *m = (struct isa_machine){.entries = entries, .rows = rows, .lfsr = 1};
    memcpy(m->constant, im->constant, sizeof m->constant);
    for (unsigned i = 0; i < ISA_BASES; i++)
        m->base[i] = im->base[i];
    m->wide = im->wide;
    for (unsigned i = 0; i < ISA_INDEXES; i++) {
        m->width[i] = im->index_width[i];
        m->saturates[i] = im->index_saturates[i] != 0;
    }
}

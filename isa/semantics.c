/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words' effects, unit by unit. Entry points: machine_init, machine_execute. */
#include "isa/semantics.h"

#include <string.h>

/* What the units of a word bring forth. */
struct result {
    uint64_t a, b, alu, lane, row;
    bool clipped, full, limit, hit;
    unsigned index;
};

uint64_t machine_ones(unsigned bits)
{
    uint64_t v = 0;
    while (bits-- > 0)
        v = v << 1 | 1;
    return v;
}

static uint64_t drive_b(const struct machine *m, const struct uop *u)
{
    const struct isa_bsrc_row *row = isa_find_bsrc(u->b);
    unsigned n = u->b - row->code;
    switch (row->code) {
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
    default:
        return 0;
    }
}

static void do_alu(const struct uop *u, struct result *y)
{
    unsigned bits = u->narrow ? 32 : 64;
    uint64_t most = machine_ones(bits), a = y->a & most, b = y->b & most, r = 0;
    uint64_t results[16] = {
        [ALU_MOV] = b, [ALU_ADD] = a + b, [ALU_SUB] = a - b, [ALU_AND] = a & b, [ALU_OR] = a | b, [ALU_XOR] = a ^ b, [ALU_BIC] = a & ~b,
        [ALU_SHL1] = b * 2, [ALU_SHL2] = b * 4, [ALU_SHR1] = b / 2, [ALU_SHR8] = b / 256, [ALU_SHR16] = b / 65536,
    };
    r = results[u->alu] & most;
    if (u->alu == ALU_ADDS) {
        y->clipped = __builtin_add_overflow(a, b, &r) || r > most;
        r = y->clipped ? most : r;
    } else if (u->alu == ALU_SUBS) {
        y->clipped = a < b;
        r = y->clipped ? 0 : a - b;
    }
    y->a = a;
    y->b = b;
    y->alu = r;
}

/* What counting gives, and then the lane's limits. */
static uint64_t count(enum isa_data op, uint64_t lane, uint64_t b, uint64_t most)
{
    uint64_t n = 0, by = op == DATA_INC || op == DATA_DEC ? 1 : b;
    bool beyond = false;
    if (op == DATA_INC || op == DATA_ADD)
        beyond = __builtin_add_overflow(lane, by, &n);
    else if (op == DATA_DEC || op == DATA_SUB)
        n = __builtin_sub_overflow(lane, by, &n) ? 0 : n;
    else if (op == DATA_MAX)
        n = b > lane ? b : lane;
    else
        n = b < lane ? b : lane;
    return beyond || n > most ? most : n;
}

static void do_data(struct machine *m, const struct uop *u, unsigned address, struct result *y)
{
    const struct isa_lane_row *l = &isa_lanes[u->lane];
    uint64_t most = machine_ones(l->width), *row = &m->row[address % m->rows], old = *row >> l->low & most, lane = old;
    if (u->data == DATA_ST || u->data == DATA_XCHG)
        lane = y->b & most;
    else if (u->data == DATA_OR)
        lane = old | (y->b & most);
    else if (u->data != DATA_LD)
        lane = count((enum isa_data)u->data, old, y->b, most);
    bool down = u->data == DATA_DEC || u->data == DATA_SUB || u->data == DATA_MIN;
    y->full = lane == (down ? 0 : most);
    for (unsigned bit = 0; bit < l->width; bit++) {
        *row &= ~(UINT64_C(1) << (l->low + bit));
        *row |= (lane >> bit & 1) << (l->low + bit);
    }
    y->lane = u->data == DATA_XCHG ? old : lane;
    y->row = *row;
}

static void do_cam(struct machine *m, const struct uop *u, unsigned address, struct result *y)
{
    unsigned size = 1u << m->width[u->iw], first = m->base[u->base];
    if (u->cam == CAM_MATCH) {
        size = size < m->entries ? size : m->entries;
        first = first % m->entries / size * size;
        for (unsigned i = 0; i < size && !y->hit; i++)
            if (m->valid[first + i] && m->tag[first + i] == (uint32_t)y->b) {
                y->hit = true;
                y->index = i;
            }
    } else {
        m->valid[address % m->entries] = u->cam == CAM_WRITE;
        if (u->cam == CAM_WRITE)
            m->tag[address % m->entries] = (uint32_t)y->b;
    }
}

/* The index unit's result; true if it is to be written. */
static bool do_index(const struct machine *m, const struct uop *u, struct result *y)
{
    int old = (int)m->index[u->ir], most = (int)machine_ones(m->width[u->iw]), n = u->idx == IDX_INC ? old + 1 : old - 1;
    switch ((enum isa_idx)u->idx) {
    case IDX_NONE:
        return false;
    case IDX_TEST:
        y->index = (unsigned)old;
        y->limit = (unsigned)old == machine_ones(m->width[u->ir]);
        return false;
    case IDX_CLR:
        y->index = 0;
        return true;
    case IDX_MATCH:
        return y->hit;
    case IDX_ALU:
        y->index = (unsigned)(y->alu & (uint64_t)most);
        return true;
    case IDX_INC:
    case IDX_DEC:
        break;
    }
    if (m->saturates[u->iw]) {
        n = n < 0 ? 0 : n > most ? most : n;
        y->limit = n == (u->idx == IDX_INC ? most : 0);
    } else {
        y->limit = u->idx == IDX_INC ? n > most : n < 0;
    }
    y->index = (unsigned)(n & most);
    return true;
}

static bool holds(const struct uop *u, const struct result *y)
{
    int64_t a = u->narrow ? (int32_t)y->a : (int64_t)y->a, b = u->narrow ? (int32_t)y->b : (int64_t)y->b;
    const bool conditions[16] = {
        [COND_EQ] = y->a == y->b,    [COND_LT] = y->a < y->b, [COND_LTS] = a < b,           [COND_ZERO] = y->alu == 0,
        [COND_CLIP] = y->clipped,    [COND_FULL] = y->full,   [COND_EMPTY] = y->lane == 0,  [COND_LIMIT] = y->limit,
        [COND_IZERO] = y->index == 0, [COND_HIT] = y->hit,
    };
    return conditions[u->cond] != u->invert;
}

unsigned machine_step_lfsr(unsigned lfsr)
{
    for (int step = 0; step < 4; step++) {
        unsigned out = lfsr & 1;
        lfsr >>= 1;
        lfsr ^= out << 15 | out << 13 | out << 12 | out << 10;
    }
    return lfsr;
}

bool machine_execute(struct machine *m, const struct uop *u)
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
    if (u->vsrc != VSRC_NONE)
        m->value[u->vdst] = u->vsrc == VSRC_ALU ? y.alu : u->vsrc == VSRC_LANE ? y.lane : y.row;
    m->lfsr = machine_step_lfsr(m->lfsr);
    return holds(u, &y);
}

void machine_init(struct machine *m, const struct image *im, unsigned entries, unsigned rows)
{
    *m = (struct machine){.entries = entries, .rows = rows, .lfsr = 1};
    memcpy(m->constant, im->constant, sizeof m->constant);
    for (unsigned i = 0; i < ISA_BASES; i++)
        m->base[i] = im->base[i];
    for (unsigned i = 0; i < ISA_INDEXES; i++) {
        m->width[i] = im->index_width[i];
        m->saturates[i] = im->index_saturates[i] != 0;
    }
}

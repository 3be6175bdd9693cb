/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predecoding of microinstructions: kinds, selectors and branch targets. */
#include "emu/predecode.h"

#include <string.h>

#include "emu/cop_state.h"
#include "emu/datapath.h"

/* The kinds of words with specialised code. */
static const struct kind kinds[] = {
#define WORD(name, when, ...) {.cond = COND_##when, __VA_ARGS__},
#include "emu/words.def"
};

/* Kind number of a legal word. */
static uint16_t predecode_find_kind(const struct uop *u)
{
    struct kind k = datapath_kind_of(u);
    if (isa_is_random(u->b))
        return KIND_ANY;
    if (k.vsrc == VSRC_NONE) /* the result goes to SLOT_NOWHERE */
        k.vsrc = k.data != DATA_NONE ? VSRC_LANE : k.alu != ALU_NONE ? VSRC_ALU : VSRC_NONE;
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].cond == k.cond && memcmp(&kinds[i], &k, sizeof k) == 0)
            return (uint16_t)i;
    return KIND_ANY;
}

static void predecode_arrays(const struct cop *c, struct decoded_word *w)
{
    const struct isa_lane_row *lane = &isa_lanes[w->u.lane];
    unsigned count = 1u << c->index_width[w->u.iw];
    if (count > c->cam.entries)
        count = c->cam.entries;
    w->base = c->base[w->u.base];
    w->row_mask = (uint16_t)(c->config.data_rows - 1);
    w->count = (uint16_t)count;
    w->first = (uint16_t)(w->base & (c->cam.entries - 1) & ~(count - 1));
    w->lane_low = lane->low;
    w->key_high = isa_has_wide_key(&w->u, c->wide) ? ~(uint64_t)UINT32_MAX : 0;
    w->lane_mask = UINT64_MAX >> (64 - lane->width);
}

/* Resolves the word's operand and write-port selectors. */
static void predecode_selectors(const struct cop *c, struct decoded_word *w)
{
    const struct uop *u = &w->u;
    if (!w->legal)
        return;
    w->a = (uint8_t)(BSRC_VALUE + u->a);
    w->b = (uint8_t)slot_of_bus_b(u);
    w->value = (uint8_t)(u->vsrc == VSRC_NONE ? SLOT_NOWHERE : BSRC_VALUE + u->vdst);
    w->ir = (uint8_t)(SLOT_INDEX + u->ir);
    w->iw = (uint8_t)(SLOT_INDEX + u->iw);
    w->index_max = index_limit(c, isa_uses(u, c->wide).index_write ? u->iw : u->ir);
    w->saturates = c->index_saturates[u->iw];
    predecode_arrays(c, w);
}

/* Branch target of word i. */
static unsigned target_of(const struct cop *c, unsigned i)
{
    unsigned code = c->word[i].u.target;
    if (code == TARGET_DONE || code == TARGET_INTERRUPT)
        return code == TARGET_DONE ? NEXT_DONE : NEXT_INTERRUPT;
    return (code < TARGET_DONE ? c->target[code] : i + (unsigned)isa_target_offset(code)) & (ISA_WORDS - 1);
}

/* Whether the word only steps an index register, and is done unless that reaches its limit. */
static bool predecode_counts(const struct cop *c, const struct decoded_word *w)
{
    const bool up = w->kind == KIND_idx_INC_LIMIT, down = w->kind == KIND_idx_DEC_LIMIT;
    return w->legal && (up || down) && w->invert && w->target == &c->word[NEXT_DONE] && w->ir == w->iw;
}

static void relocate_word(struct cop *c, unsigned i)
{
    c->word[i].target = &c->word[target_of(c, i)];
    c->word[i].counts = predecode_counts(c, &c->word[i]);
    c->lookahead.known = false;
}

void predecode_relocate(struct cop *c)
{
    for (unsigned i = 0; i < ISA_WORDS; i++)
        relocate_word(c, i);
    c->word[NEXT_FIRST].target = &c->word[0];
    c->word[NEXT_FIRST].kind = KIND_FIRST;
    c->word[NEXT_DONE].kind = c->word[NEXT_INTERRUPT].kind = KIND_STOP;
}

void predecode_word(struct cop *c, unsigned i)
{
    struct decoded_word *w = &c->word[i];
    isa_decode(c->microcode[i], &w->u);
    w->legal = isa_check(&w->u, c->wide) == NULL;
    w->kind = w->legal ? predecode_find_kind(&w->u) : KIND_STOP;
    w->invert = w->u.invert;
    predecode_selectors(c, w);
    relocate_word(c, i);
}

void predecode_all(struct cop *c)
{
    for (unsigned i = 0; i < ISA_WORDS; i++)
        predecode_selectors(c, &c->word[i]);
    predecode_relocate(c);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making words ready. Most words use one unit, or the associative array and an index register with its result: for each of these kinds
 * there is a function of its own, compiled from the one description of the units in datapath.h with the kind's operations as constants.
 * All others share one that looks at the word. */
#include "emu/cop_state.h"
#include "emu/datapath.h"

typedef bool run_fn(struct cop *c, const struct ready_word *w);

#define RUN(name, ...) \
    static bool name(struct cop *c, const struct ready_word *w) \
    { \
        struct cop_units y; \
        return datapath_execute(c, w, &y, (struct kind){__VA_ARGS__}); \
    }

#define ALU(sym, ...) \
    RUN(alu_##sym##_never, .alu = ALU_##sym, .vsrc = VSRC_ALU) \
    RUN(alu_##sym##_eq, .alu = ALU_##sym, .vsrc = VSRC_ALU, .cond = COND_EQ) \
    RUN(alu_##sym##_lt, .alu = ALU_##sym, .vsrc = VSRC_ALU, .cond = COND_LT) \
    RUN(alu_##sym##_lts, .alu = ALU_##sym, .vsrc = VSRC_ALU, .cond = COND_LTS) \
    RUN(alu_##sym##_zero, .alu = ALU_##sym, .vsrc = VSRC_ALU, .cond = COND_ZERO)
#define DATA(sym, ...) \
    RUN(data_##sym##_never, .data = DATA_##sym) \
    RUN(data_##sym##_full, .data = DATA_##sym, .cond = COND_FULL) \
    RUN(data_##sym##_empty, .data = DATA_##sym, .cond = COND_EMPTY) \
    RUN(row_##sym##_never, .data = DATA_##sym, .vsrc = VSRC_ROW) \
    RUN(row_##sym##_full, .data = DATA_##sym, .vsrc = VSRC_ROW, .cond = COND_FULL) \
    RUN(row_##sym##_empty, .data = DATA_##sym, .vsrc = VSRC_ROW, .cond = COND_EMPTY)
#define IDX(sym, ...) \
    RUN(idx_##sym##_never, .idx = IDX_##sym) \
    RUN(idx_##sym##_limit, .idx = IDX_##sym, .cond = COND_LIMIT) \
    RUN(idx_##sym##_izero, .idx = IDX_##sym, .cond = COND_IZERO)
#define CAM(sym, ...) \
    RUN(cam_##sym##_never, .cam = CAM_##sym) \
    RUN(cam_##sym##_hit, .cam = CAM_##sym, .cond = COND_HIT)
#include "isa/isa.def"
RUN(match_never, .cam = CAM_MATCH, .idx = IDX_MATCH)
RUN(match_hit, .cam = CAM_MATCH, .idx = IDX_MATCH, .cond = COND_HIT)

enum { CONDS = 16 };

/* Words of one unit, by its operation and the condition. */
static run_fn *const alu_words[][CONDS] = {
#define ALU(sym, ...) [ALU_##sym] = {[COND_NEVER] = alu_##sym##_never, [COND_EQ] = alu_##sym##_eq, [COND_LT] = alu_##sym##_lt, \
                                     [COND_LTS] = alu_##sym##_lts, [COND_ZERO] = alu_##sym##_zero},
#include "isa/isa.def"
};
static run_fn *const data_words[][CONDS] = {
#define DATA(sym, ...) [DATA_##sym] = {[COND_NEVER] = data_##sym##_never, [COND_FULL] = data_##sym##_full, [COND_EMPTY] = data_##sym##_empty},
#include "isa/isa.def"
};
static run_fn *const row_words[][CONDS] = {
#define DATA(sym, ...) [DATA_##sym] = {[COND_NEVER] = row_##sym##_never, [COND_FULL] = row_##sym##_full, [COND_EMPTY] = row_##sym##_empty},
#include "isa/isa.def"
};
static run_fn *const idx_words[][CONDS] = {
#define IDX(sym, ...) [IDX_##sym] = {[COND_NEVER] = idx_##sym##_never, [COND_LIMIT] = idx_##sym##_limit, [COND_IZERO] = idx_##sym##_izero},
#include "isa/isa.def"
};
static run_fn *const cam_words[][CONDS] = {
#define CAM(sym, ...) [CAM_##sym] = {[COND_NEVER] = cam_##sym##_never, [COND_HIT] = cam_##sym##_hit},
#include "isa/isa.def"
};
static run_fn *const match_words[CONDS] = {[COND_NEVER] = match_never, [COND_HIT] = match_hit};

static bool run_any(struct cop *c, const struct ready_word *w)
{
    struct cop_units y;
    return datapath_execute(c, w, &y, kind_of(&w->u));
}

static run_fn *choose_run(const struct uop *u)
{
    run_fn *run = NULL;
    unsigned units = (u->cam != CAM_NONE) + (u->data != DATA_NONE) + (u->alu != ALU_NONE) + (u->idx != IDX_NONE);
    if (units == 2 && u->cam == CAM_MATCH && u->idx == IDX_MATCH)
        run = match_words[u->cond];
    else if (units <= 1)
        run = u->cam != CAM_NONE ? cam_words[u->cam][u->cond]
            : u->data != DATA_NONE ? (u->vsrc == VSRC_ROW ? row_words : data_words)[u->data][u->cond]
            : u->idx != IDX_NONE ? idx_words[u->idx][u->cond] : alu_words[u->alu][u->cond];
    return run != NULL ? run : run_any;
}

/* From one predictor to the next: two bits that count up with a branch taken and down with one that is not, and whether the one before had
 * said otherwise. A word without a condition leaves its counter alone. */
static const uint8_t predict_branch[8][2] = {
    {0, 1 | PREDICTOR_WRONG}, {0, 2 | PREDICTOR_WRONG}, {1 | PREDICTOR_WRONG, 3}, {2 | PREDICTOR_WRONG, 3},
    {0, 1 | PREDICTOR_WRONG}, {0, 2 | PREDICTOR_WRONG}, {1 | PREDICTOR_WRONG, 3}, {2 | PREDICTOR_WRONG, 3},
};
static const uint8_t predict_nothing[8][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 0}, {1, 1}, {2, 2}, {3, 3}};

/* What a selector of bus B stands for. */
static void ready_b(struct ready_word *w)
{
    w->b = w->u.b;
    w->b_ones = UINT64_MAX;
    switch (w->u.b) {
    case BSRC_INDEX:
        w->b = (uint8_t)(SLOT_INDEX + w->u.ir);
        return;
    case BSRC_RND4:
        w->b_ones = 0xf;
        break;
    case BSRC_RND8:
        w->b_ones = 0xff;
        break;
    case BSRC_RND16:
        break;
    default:
        return;
    }
    w->b = SLOT_LFSR;
}

static void ready_memories(const struct cop *c, struct ready_word *w)
{
    const struct isa_lane_row *lane = &isa_lanes[w->u.lane];
    unsigned count = 1u << c->index_width[w->u.iw];
    if (count > c->cam.entries)
        count = c->cam.entries;
    w->base = c->base[w->u.base];
    w->row_ones = (uint16_t)(c->config.data_rows - 1);
    w->count = (uint16_t)count;
    w->first = (uint16_t)(w->base & (c->cam.entries - 1) & ~(count - 1));
    w->lane_low = lane->low;
    w->lane_ones = UINT64_MAX >> (64 - lane->width);
}

/* All of a word but what follows it, which depends on other words too. */
static void ready_selectors(struct cop *c, unsigned i)
{
    struct ready_word *w = &c->word[i];
    const struct uop *u = &w->u;
    isa_decode(c->microcode[i], &w->u);
    w->legal = isa_check(u) == NULL;
    if (!w->legal)
        return;
    unsigned to = u->target < TARGET_DONE ? c->target[u->target] : i + (unsigned)isa_target_offset(u->target);
    w->run = choose_run(u);
    w->alu_ones = u->narrow ? UINT32_MAX : UINT64_MAX;
    w->a = (uint8_t)(BSRC_VALUE + u->a);
    w->value = (uint8_t)(u->vsrc == VSRC_NONE ? SLOT_NOWHERE : BSRC_VALUE + u->vdst);
    w->ir = (uint8_t)(SLOT_INDEX + u->ir);
    w->iw = (uint8_t)(SLOT_INDEX + u->iw);
    w->most = index_limit(c, u->idx == IDX_TEST ? u->ir : u->iw);
    w->saturates = c->index_saturates[u->iw];
    w->predict = u->cond == COND_NEVER ? predict_nothing : predict_branch;
    w->invert = u->invert;
    w->target = to & (ISA_WORDS - 1);
    ready_b(w);
    ready_memories(c, w);
}

static void link_words(struct cop *c)
{
    for (unsigned i = 0; i < ISA_WORDS; i++) {
        struct ready_word *w = &c->word[i];
        unsigned taken = w->u.target == TARGET_DONE ? NEXT_DONE : w->u.target == TARGET_INTERRUPT ? NEXT_INTERRUPT : w->target;
        w->next[0] = &c->word[(i + 1) & (ISA_WORDS - 1)];
        w->next[1] = &c->word[taken];
    }
    c->quiet_known = false;
}

void ready_word(struct cop *c, unsigned i)
{
    ready_selectors(c, i);
    link_words(c);
}

void ready_all(struct cop *c)
{
    for (unsigned i = 0; i < ISA_WORDS; i++)
        ready_selectors(c, i);
    link_words(c);
}

/* The words up to an interrupt, from the words that can follow one. */
static unsigned count_quiet(const struct ready_word *w)
{
    bool always = w->u.cond == COND_NEVER;
    unsigned fall = !always || !w->u.invert ? w->next[0]->quiet : QUIET_FOR_EVER;
    unsigned jump = !always || w->u.invert ? w->next[1]->quiet : QUIET_FOR_EVER;
    unsigned least = fall < jump ? fall : jump;
    return least < QUIET_FOR_EVER ? least + 1 : QUIET_FOR_EVER;
}

/* Behind done comes the first word of any class. */
static unsigned quiet_after_done(const struct cop *c)
{
    unsigned least = QUIET_FOR_EVER;
    for (unsigned k = 0; k < OPCLASS_COUNT; k++)
        if (c->dispatch[k] != NO_DISPATCH && c->word[c->dispatch[k] & (ISA_WORDS - 1)].quiet < least)
            least = c->word[c->dispatch[k] & (ISA_WORDS - 1)].quiet;
    return least;
}

/* Shortest paths, from longer ones on down. */
void ready_quiet(struct cop *c)
{
    bool changed = true;
    for (unsigned i = 0; i < READY_WORDS; i++)
        c->word[i].quiet = i == NEXT_INTERRUPT ? 0 : QUIET_FOR_EVER;
    while (changed) {
        changed = false;
        for (unsigned i = 0; i <= NEXT_DONE; i++) {
            struct ready_word *w = &c->word[i];
            unsigned quiet = i == NEXT_DONE ? quiet_after_done(c) : w->legal ? count_quiet(w) : QUIET_FOR_EVER;
            changed |= quiet < w->quiet;
            w->quiet = (uint8_t)quiet;
        }
    }
    c->quiet_known = true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data-flow analysis over sets of words by iteration to a fixed point. */
#include "asm/flow.h"

#include <stdio.h>

static void asm_flow_join(struct flow *f, unsigned from, int to)
{
    if (to < 0)
        return;
    f->next[from] |= word_bit((unsigned)to);
    f->before[to] |= word_bit(from);
}

static void asm_flow_find_next(struct flow *f, unsigned i)
{
    const struct uop *u = &f->u[i];
    bool always = u->cond == COND_NEVER && u->invert;
    f->fall[i] = f->to[i] = -1;
    if (!always) /* and thus not the last word */
        f->fall[i] = (int8_t)(i + 1);
    if (f->use[i].branch && !always)
        f->conditional |= word_bit(i);
    if (f->use[i].branch && (u->target == TARGET_DONE || u->target == TARGET_INTERRUPT))
        f->exits |= word_bit(i);
    else if (f->use[i].branch)
        f->to[i] = (int8_t)(u->target < TARGET_DONE ? f->im->target[u->target] : (int)i + isa_target_offset(u->target));
    asm_flow_join(f, i, f->fall[i]);
    asm_flow_join(f, i, f->to[i]);
}

/* Finds the phases. A target register that holds 0 counts as unused. */
static word_set find_phases(const struct flow *f)
{
    word_set phases = 0;
    unsigned used = 0;
    for (unsigned i = 0; i < f->im->words; i++)
        if (f->use[i].branch && f->u[i].target < TARGET_DONE)
            used |= 1u << f->u[i].target;
    for (unsigned t = 0; t < ISA_TARGETS; t++)
        if (f->im->target[t] != 0 && f->im->target[t] < f->im->words && (used >> t & 1) == 0)
            phases |= word_bit(f->im->target[t]);
    return phases;
}

void flow_init(struct flow *f, const struct image *im)
{
    *f = (struct flow){.im = im};
    for (unsigned i = 0; i < im->words; i++) {
        isa_decode(im->word[i], &f->u[i]);
        f->use[i] = isa_uses(&f->u[i], im->wide);
        asm_flow_find_next(f, i);
    }
    for (unsigned c = 0; c < OPCLASS_COUNT; c++)
        if (im->entry[c] != IMAGE_NO_ENTRY) {
            f->from_class[c] = flow_forward(f, word_bit(im->entry[c]), ~(word_set)0);
            f->entries |= word_bit(im->entry[c]);
        }
    if (f->entries != 0)
        f->phases = find_phases(f) & ~f->entries;
    f->entries |= f->phases;
    f->reached = flow_forward(f, f->entries, ~(word_set)0);
}

static word_set asm_flow_spread(const word_set *edges, word_set starts, word_set within)
{
    word_set all = starts & within, fresh = all;
    while (fresh != 0) {
        unsigned w = word_lowest(fresh);
        word_set more = edges[w] & within & ~all;
        all |= more;
        fresh = (fresh & ~word_bit(w)) | more;
    }
    return all;
}

word_set flow_forward(const struct flow *f, word_set starts, word_set within)
{
    return asm_flow_spread(f->next, starts, within);
}
word_set flow_backward(const struct flow *f, word_set starts, word_set within)
{
    return asm_flow_spread(f->before, starts, within);
}

word_set flow_cycle(const struct flow *f, unsigned word, word_set within)
{
    return flow_forward(f, f->next[word], within) & flow_backward(f, f->before[word], within);
}

/* Returns whether the word leaves the loop if its condition holds. */
static bool leaves_when_true(const struct flow *f, unsigned word, word_set loop)
{
    int to = f->u[word].invert ? f->fall[word] : f->to[word];
    return to < 0 || (loop & word_bit((unsigned)to)) == 0;
}

static bool written_elsewhere(const struct flow *f, unsigned word, word_set loop)
{
    for (word_set rest = loop & ~word_bit(word); rest != 0; rest &= rest - 1) {
        unsigned w = word_lowest(rest);
        if (f->use[w].index_write && f->u[w].iw == f->u[word].iw)
            return true;
    }
    return false;
}

/* Maximum number of consecutive executions of the word before its condition holds; 0 if it is not a counting word. */
static uint32_t count_passes(const struct flow *f, unsigned word)
{
    const struct uop *u = &f->u[word];
    bool up = u->idx == IDX_INC, saturates = f->im->index_saturates[u->iw] != 0;
    if ((u->idx != IDX_INC && u->idx != IDX_DEC) || u->ir != u->iw)
        return 0;
    if (u->cond != COND_LIMIT && (u->cond != COND_IZERO || (up && saturates)))
        return 0;
    return (UINT32_C(1) << f->im->index_width[u->iw]) - saturates;
}

bool flow_find_bound(const struct flow *f, word_set loop, struct flow_bound *b)
{
    b->passes = 0;
    for (word_set rest = loop & f->conditional; rest != 0; rest &= rest - 1) {
        unsigned w = word_lowest(rest);
        uint32_t passes = count_passes(f, w);
        if (passes == 0 || !leaves_when_true(f, w, loop) || written_elsewhere(f, w, loop))
            continue;
        if (b->passes == 0 || passes < b->passes)
            *b = (struct flow_bound){w, passes};
    }
    return b->passes != 0;
}

struct flow_registers flow_registers(const struct flow *f, unsigned word)
{
    const struct uop *u = &f->u[word];
    const struct isa_use *use = &f->use[word];
    struct flow_registers r = {
        .values_read = use->a ? 1u << u->a : 0,
        .values_written = u->vsrc != VSRC_NONE ? 1u << u->vdst : 0,
        .indexes_read = use->index_read ? 1u << u->ir : 0,
        .indexes_written = use->index_write ? 1u << u->iw : 0,
    };
    if (u->b >= BSRC_VALUE && u->b < BSRC_VALUE + ISA_VALUES)
        r.values_read |= 1u << (u->b - BSRC_VALUE);
    return r;
}

word_set flow_before(const struct flow *f, word_set writers)
{
    /* Paths up to the first write: a writer is reached, but not passed. */
    word_set clean = flow_forward(f, f->entries & ~writers, f->reached & ~writers), before = f->entries | clean;
    for (word_set rest = clean; rest != 0; rest &= rest - 1)
        before |= f->next[word_lowest(rest)];
    return before;
}

/* Returns whether some word can read register i of a file before any word has written it. */
static bool is_kept(const struct flow *f, const unsigned *read, const unsigned *written, unsigned i)
{
    word_set readers = 0, writers = 0;
    for (word_set rest = f->reached; rest != 0; rest &= rest - 1) {
        unsigned w = word_lowest(rest);
        readers |= read[w] >> i & 1 ? word_bit(w) : 0;
        writers |= written[w] >> i & 1 ? word_bit(w) : 0;
    }
    return writers != 0 && (readers & flow_before(f, writers)) != 0;
}

void flow_find_kept(const struct flow *f, unsigned *values, unsigned *indexes)
{
    unsigned values_read[ISA_WORDS], values_written[ISA_WORDS], indexes_read[ISA_WORDS], indexes_written[ISA_WORDS];
    for (unsigned w = 0; w < f->im->words; w++) {
        struct flow_registers r = flow_registers(f, w);
        values_read[w] = r.values_read;
        values_written[w] = r.values_written;
        indexes_read[w] = r.indexes_read;
        indexes_written[w] = r.indexes_written;
    }
    *values = *indexes = 0;
    for (unsigned i = 0; i < ISA_VALUES; i++)
        *values |= is_kept(f, values_read, values_written, i) ? 1u << i : 0;
    for (unsigned i = 0; i < ISA_INDEXES; i++)
        *indexes |= is_kept(f, indexes_read, indexes_written, i) ? 1u << i : 0;
}

const char *flow_next_kept(const struct flow *f, unsigned *values, unsigned *indexes, char plain[8])
{
    bool value = *values != 0;
    unsigned *set = value ? values : indexes;
    unsigned n = (unsigned)__builtin_ctz(*set);
    const char *declared = value ? f->im->value_name[n] : f->im->index_name[n];
    *set &= *set - 1;
    snprintf(plain, 8, "%c%u", value ? 'v' : 'i', n);
    return declared[0] != '\0' ? declared : plain;
}

const char *flow_name(const struct flow *f, unsigned word, char name[FLOW_NAME])
{
    if (!image_print_place(f->im, word, name))
        snprintf(name, FLOW_NAME, "@%u", word);
    return name;
}

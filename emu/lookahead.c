/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lookahead: a lower bound on the cycles until the next possible interrupt.
 *
 * A word takes at least one cycle, so the length in words of the shortest path to an interrupt is a bound in cycles.
 * The bound is larger for programs that count up to their interrupts: a word that steps an index register and branches
 * to an interrupt at the register's limit cannot take that branch before the register has made its remaining steps,
 * each a known number of words after the previous one. Such a branch is a guard. */
#include "emu/lookahead.h"

#include <string.h>

#include "emu/cop_state.h"

enum { FOREVER = LOOKAHEAD_FOREVER };

/* For each word, and for the targets that end a sample, a distance in words; LOOKAHEAD_FOREVER: unreachable. */
typedef uint8_t distances[DECODED_WORDS];

/* Returns whether the word steps the register in the given direction. A word that reads one index register and writes
 * another is not a step. */
static bool steps(const struct decoded_word *w, unsigned reg, bool up)
{
    return w->legal && w->u.idx == (up ? IDX_INC : IDX_DEC) && w->u.iw == reg && w->u.ir == reg;
}

/* Returns whether the register reaches the end of its range by steps alone: other writes may only move it away. */
static bool changes_only_by_steps(const struct cop *c, unsigned reg, bool up)
{
    if (reg == c->gate) /* samples step it */
        return false;
    for (unsigned i = 0; i < ISA_WORDS; i++) {
        const struct decoded_word *w = &c->word[i];
        bool writes = w->legal && w->u.iw == reg && isa_uses(&w->u, c->wide).index_write;
        bool back = (steps(w, reg, !up) && c->index_saturates[reg]) || (up && w->u.idx == IDX_CLR);
        if (writes && !steps(w, reg, up) && !back)
            return false;
    }
    return true;
}

/* Index of the guard that word i is, or -1. `open` is the bit mask of the candidates, one bit for each direction of
 * each register. */
static int guard_of(const struct cop *c, unsigned i, uint32_t open)
{
    const struct decoded_word *w = &c->word[i];
    if (i >= ISA_WORDS || !w->legal || w->u.cond != COND_LIMIT || (w->u.idx != IDX_INC && w->u.idx != IDX_DEC))
        return -1;
    int g = 2 * w->u.iw + (w->u.idx == IDX_INC);
    return open >> g & 1 ? g : -1;
}

/* Finds which of its two successors a word can reach: fall-through and branch target. */
static void find_successors(const struct cop *c, unsigned i, uint32_t guards, bool *fall, bool *jump)
{
    const struct decoded_word *w = &c->word[i];
    *fall = w->u.cond != COND_NEVER || !w->invert;
    *jump = w->u.cond != COND_NEVER || w->invert;
    if (guard_of(c, i, guards) >= 0)
        *(w->invert ? fall : jump) = false;
}

static unsigned after_done(const struct cop *c, const distances d)
{
    unsigned least = FOREVER;
    for (unsigned k = 0; k < OPCLASS_COUNT; k++)
        if (c->dispatch[k] != NO_DISPATCH && d[c->dispatch[k] & (ISA_WORDS - 1)] < least)
            least = d[c->dispatch[k] & (ISA_WORDS - 1)];
    return least;
}

/* Distance from the end of word i, with the guards closed. */
static unsigned distance_after(const struct cop *c, unsigned i, uint32_t guards, const distances d)
{
    const struct decoded_word *w = &c->word[i];
    bool fall, jump;
    find_successors(c, i, guards, &fall, &jump);
    unsigned down = fall ? d[i + 1] : FOREVER, aside = jump ? d[w->target - c->word] : FOREVER;
    return down < aside ? down : aside;
}

static unsigned add_word(unsigned words) { return words < FOREVER ? words + 1 : FOREVER; }

static unsigned distance_from_word(const struct cop *c, unsigned i, uint32_t guards, const distances d)
{
    if (i == NEXT_DONE)
        return after_done(c, d);
    if (i == NEXT_FIRST)
        return d[0];
    return c->word[i].legal ? add_word(distance_after(c, i, guards, d)) : FOREVER;
}

/* Shortest distances to the words whose distance is set, by relaxation from above. */
static void find_distances(const struct cop *c, uint32_t guards, distances d)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (unsigned i = NEXT_DONE + 1; i-- > 0;) {
            unsigned words = distance_from_word(c, i, guards, d);
            if (words >= d[i])
                continue;
            d[i] = (uint8_t)words;
            changed = true;
        }
    }
}

static void to_interrupt(const struct cop *c, uint32_t guards, distances d)
{
    memset(d, FOREVER, sizeof(distances));
    d[NEXT_INTERRUPT] = 0;
    find_distances(c, guards, d);
}

/* Minimum number of words from one step of a register to the next, the second step included. */
static unsigned step_interval(const struct cop *c, unsigned reg, bool up, uint32_t guards)
{
    distances d;
    unsigned least = FOREVER;
    memset(d, FOREVER, sizeof d);
    for (unsigned i = 0; i < ISA_WORDS; i++)
        if (steps(&c->word[i], reg, up))
            d[i] = 1;
    find_distances(c, guards, d);
    for (unsigned i = 0; i < ISA_WORDS; i++)
        if (steps(&c->word[i], reg, up) && distance_after(c, i, guards, d) < least)
            least = distance_after(c, i, guards, d);
    return least;
}

/* Bit mask of the guards on paths to an interrupt whose registers change by steps alone. `d`: each word's distance to
 * an interrupt. */
static uint32_t find_guards(const struct cop *c, const distances d)
{
    uint32_t trusted = 0, guards = 0;
    for (unsigned g = 0; g < 2 * ISA_INDEXES; g++)
        trusted |= (uint32_t)changes_only_by_steps(c, g / 2, g % 2) << g;
    for (unsigned i = 0; i < ISA_WORDS; i++) {
        const struct decoded_word *w = &c->word[i];
        int g = guard_of(c, i, trusted);
        if (g >= 0 && d[w->invert ? i + 1 : (unsigned)(w->target - c->word)] < FOREVER)
            guards |= UINT32_C(1) << g;
    }
    return guards;
}

/* Computes distances and guards of the program. Guards are evaluated only if they can enlarge the bound of some
 * class. */
static void analyse_program(struct cop *c)
{
    struct lookahead *q = &c->lookahead;
    distances guarded;
    to_interrupt(c, 0, q->words);
    uint32_t guards = find_guards(c, q->words);
    to_interrupt(c, guards, guarded);
    q->guards = 0;
    q->known = true;
    if (guarded[NEXT_DONE] == q->words[NEXT_DONE])
        return;
    memcpy(q->words, guarded, sizeof q->words);
    for (unsigned g = 0; g < 2 * ISA_INDEXES; g++)
        if (guards >> g & 1)
            q->guard[q->guards++] = (struct guard){
                .reg = (uint8_t)(g / 2), .up = g % 2, .interval = (uint8_t)step_interval(c, g / 2, g % 2, guards)};
}

/* Minimum number of words up to and including the step that opens the guard, from the register's current value. */
static inline uint64_t words_to_open(const struct cop *c, const struct guard *g)
{
    uint64_t at = c->operand[SLOT_INDEX + g->reg], lacking = g->up ? index_limit(c, g->reg) - at : at;
    if (lacking <= 1)
        return 1;
    return g->interval < FOREVER ? 1 + (lacking - 1) * g->interval : UINT64_MAX;
}

/* Minimum number of words from word `from` up to and including one that can interrupt; UINT64_MAX: none can. */
static inline uint64_t lookahead_words(struct cop *c, unsigned from)
{
    struct lookahead *q = &c->lookahead;
    uint64_t least = q->words[from] < FOREVER ? q->words[from] : UINT64_MAX;
    for (unsigned i = 0; i < q->guards; i++) {
        uint64_t words = words_to_open(c, &q->guard[i]);
        if (words < least)
            least = words;
    }
    return least;
}

static inline uint64_t lookahead_cycle(const struct cop *c, uint64_t cycle, uint64_t words)
{
    return words < UINT64_MAX ? (cycle + words) << c->clock_shift : UINT64_MAX;
}

/* A sample at the head starts when it is readable; without one, the bound is relative to the next delivery (`idle`). */
void lookahead_update(struct cop *c)
{
    struct lookahead *q = &c->lookahead;
    bool running = c->state == BUS_RUNNING, waiting = c->state == BUS_WAITING_SAMPLE;
    bool idle = waiting && c->buffer.count == 0;
    q->idle = UINT64_MAX;
    q->until = c->owner.watched ? 0 : UINT64_MAX; /* a watch requires every event at its own cycle */
    if (c->owner.watched || (!running && !waiting))
        return;
    if (!q->known)
        analyse_program(c);
    uint64_t words = lookahead_words(c, running ? c->pc : NEXT_DONE), from = c->time;
    if (waiting && !idle && own_cycle(c, buffer_at(&c->buffer, 0)->readable) > from)
        from = own_cycle(c, buffer_at(&c->buffer, 0)->readable);
    if (idle)
        q->idle = words;
    else
        q->until = lookahead_cycle(c, from, words);
}

void lookahead_end_idle(struct cop *c, uint64_t cycle)
{
    uint64_t readable = cycle + c->buffer.beats + c->config.path_cycles;
    c->lookahead.until = lookahead_cycle(c, own_cycle(c, readable), c->lookahead.idle);
    c->lookahead.idle = UINT64_MAX;
    if (c->filters.opcode.from > c->lookahead.until)
        filters_set_from(&c->filters, c->lookahead.until);
}

void lookahead_invalidate(struct cop *c)
{
    c->lookahead.until = 0;
    filters_set_from(&c->filters, 0);
    c->lookahead.idle = UINT64_MAX;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shortest and longest paths through a program. A word takes one cycle; in the worst case each conditional branch is
 * mispredicted, which adds one cycle (co-processor paper, section 3.4). A loop with a known bound counts with all its
 * iterations; with other loops there is no longest path. On a loop-free path each word executes once, so its predictor
 * can have any state: the bound is exact if some data take the path. Entry points: cost_init, cost_find_exact. */
#include "asm/cost.h"

#include <stdlib.h>

#include "asm/flow.h"
#include "asm/witness.h"
#include "base/status.h"

enum { PATH_BYTES = 16 };

static int64_t worst_of_word(const struct flow *f, unsigned w) { return 1 + (f->conditional >> w & 1); }

/* Condensation of a set of words: loops and single words, with the longest path from each. */
struct parts {
    const struct flow *f;
    word_set within;
    unsigned count;
    word_set words[ISA_WORDS];
    int64_t passes[ISA_WORDS], cost[ISA_WORDS], longest[ISA_WORDS];
    int8_t after[ISA_WORDS]; /* successor on the longest path, or -1 */
    bool known[ISA_WORDS];
    uint8_t of_word[ISA_WORDS];
};

static void parts_init(struct parts *p, const struct flow *f, word_set within);

/* Sum and product of bounds: unbounded if an operand is; saturating at COST_HUGE. */
static int64_t add_cycles(int64_t a, int64_t b)
{
    if (a == COST_UNBOUNDED || b == COST_UNBOUNDED)
        return COST_UNBOUNDED;
    return a < COST_HUGE - b ? a + b : COST_HUGE;
}

static int64_t multiply_cycles(int64_t cycles, uint32_t passes)
{
    if (cycles == COST_UNBOUNDED)
        return COST_UNBOUNDED;
    return cycles < COST_HUGE / passes ? cycles * passes : COST_HUGE;
}

static bool is_longer(int64_t a, int64_t b) { return b != COST_UNBOUNDED && (a == COST_UNBOUNDED || a > b); }

static int64_t longest_from(struct parts *p, unsigned part)
{
    word_set next = 0;
    if (p->known[part])
        return p->longest[part];
    p->known[part] = true;
    p->after[part] = -1;
    p->longest[part] = 0;
    for (word_set rest = p->words[part]; rest != 0; rest &= rest - 1)
        next |= p->f->next[word_lowest(rest)];
    for (word_set rest = next & p->within & ~p->words[part]; rest != 0; rest &= rest - 1) {
        unsigned k = p->of_word[word_lowest(rest)];
        int64_t n = longest_from(p, k);
        if (p->after[part] < 0 || is_longer(n, p->longest[part])) {
            p->after[part] = (int8_t)k;
            p->longest[part] = n;
        }
    }
    p->longest[part] = add_cycles(p->longest[part], p->cost[part]);
    return p->longest[part];
}

/* A loop's bounding word executes at most `passes` times, each time after the longest path through the rest of the
 * loop. */
static void measure_loop(struct parts *p, unsigned part)
{
    struct flow_bound bound;
    struct parts *inner;
    int64_t most = 0;
    p->passes[part] = p->cost[part] = COST_UNBOUNDED;
    if (!flow_find_bound(p->f, p->words[part], &bound))
        return;
    inner = xmalloc(sizeof *inner);
    parts_init(inner, p->f, p->words[part] & ~word_bit(bound.word));
    for (unsigned k = 0; k < inner->count; k++)
        if (is_longer(longest_from(inner, k), most))
            most = longest_from(inner, k);
    free(inner);
    p->passes[part] = bound.passes;
    p->cost[part] = multiply_cycles(add_cycles(most, worst_of_word(p->f, bound.word)), bound.passes);
}

static void parts_init(struct parts *p, const struct flow *f, word_set within)
{
    *p = (struct parts){.f = f, .within = within};
    for (word_set rest = within; rest != 0;) {
        unsigned w = word_lowest(rest), part = p->count++;
        word_set loop = flow_cycle(f, w, within);
        p->words[part] = loop | word_bit(w);
        p->passes[part] = 1;
        p->cost[part] = worst_of_word(f, w);
        if (loop != 0)
            measure_loop(p, part);
        for (word_set s = p->words[part]; s != 0; s &= s - 1)
            p->of_word[word_lowest(s)] = (uint8_t)part;
        rest &= ~p->words[part];
    }
}

/* Longest path from the entry. All words in `within` can reach the exit, so the path ends there. */
static void find_worst(const struct flow *f, unsigned entry, word_set within, struct cost_path *out)
{
    struct parts *p = xmalloc(sizeof *p);
    parts_init(p, f, within);
    out->cycles = longest_from(p, p->of_word[entry]);
    out->exact = false;
    out->steps = 0;
    for (int part = p->of_word[entry]; part >= 0; part = p->after[part])
        out->step[out->steps++] = (struct cost_step){p->words[part], p->passes[part]};
    free(p);
}

/* Shortest path by breadth-first search backwards from the exit, which yields the path in forward order. */
static void find_best(const struct flow *f, unsigned entry, unsigned exit, word_set within, struct cost_path *out)
{
    uint8_t distance[ISA_WORDS] = {0};
    word_set seen = word_bit(exit), front = seen;
    for (uint8_t d = 1; front != 0; d++) {
        word_set wider = 0;
        for (word_set rest = front; rest != 0; rest &= rest - 1) {
            distance[word_lowest(rest)] = d;
            wider |= f->before[word_lowest(rest)];
        }
        front = wider & within & ~seen;
        seen |= front;
    }
    out->cycles = distance[entry];
    out->exact = false;
    out->steps = 0;
    for (unsigned w = entry;;) {
        out->step[out->steps++] = (struct cost_step){word_bit(w), 1};
        if (w == exit)
            return;
        word_set next = f->next[w] & within;
        while (distance[word_lowest(next)] != distance[w] - 1)
            next &= next - 1;
        w = word_lowest(next);
    }
}

static void measure_entry(const struct flow *f, struct cost_class *e)
{
    word_set reached = flow_forward(f, word_bit(e->entry), ~(word_set)0), exits = reached & f->exits;
    e->exit = xcalloc(word_count(exits) + 1, sizeof *e->exit);
    e->best = e->worst = exits != 0 ? 0 : COST_UNBOUNDED;
    for (word_set rest = exits; rest != 0; rest &= rest - 1) {
        unsigned w = word_lowest(rest);
        word_set within = reached & flow_backward(f, word_bit(w), reached);
        struct cost_exit *x = &e->exit[e->exits++];
        x->word = (uint8_t)w;
        x->interrupt = f->u[w].target == TARGET_INTERRUPT;
        find_best(f, e->entry, w, within, &x->best);
        find_worst(f, e->entry, within, &x->worst);
        e->best = e->best == 0 || x->best.cycles < e->best ? x->best.cycles : e->best;
        e->worst = is_longer(x->worst.cycles, e->worst) ? x->worst.cycles : e->worst;
    }
    /* Some reachable word cannot reach an exit. */
    if ((reached & ~flow_backward(f, exits, reached)) != 0)
        e->worst = COST_UNBOUNDED;
    e->may_run_away = is_longer(e->worst, ISA_RUNAWAY_WORDS);
}

static void find_loops(struct cost *c, const struct flow *f, word_set within)
{
    struct flow_bound bound;
    for (word_set rest = within; rest != 0;) {
        unsigned w = word_lowest(rest);
        word_set loop = flow_cycle(f, w, within);
        if (loop != 0 && flow_find_bound(f, loop, &bound))
            find_loops(c, f, loop & ~word_bit(bound.word));
        else if (loop != 0)
            c->loop[c->loops++] = loop;
        rest &= ~(loop | word_bit(w));
    }
}

static void add_entry(struct cost *c, const struct flow *f, unsigned word)
{
    struct cost_class *e = &c->entry[c->entries++];
    *e = (struct cost_class){.entry = (uint8_t)word};
    measure_entry(f, e);
}

void cost_init(struct cost *c, const struct image *im)
{
    struct flow f;
    flow_init(&f, im);
    *c = (struct cost){.record_bytes = image_record_bytes(im)};
    c->beats = (c->record_bytes + PATH_BYTES - 1) / PATH_BYTES;
    for (unsigned k = 0; k < OPCLASS_COUNT; k++) {
        unsigned e = 0;
        if (im->entry[k] == IMAGE_NO_ENTRY)
            continue;
        while (e < c->entries && c->entry[e].entry != im->entry[k])
            e++;
        if (e == c->entries)
            add_entry(c, &f, im->entry[k]);
        c->entry[e].classes |= 1u << k;
    }
    for (word_set rest = f.phases; rest != 0; rest &= rest - 1)
        add_entry(c, &f, word_lowest(rest));
    find_loops(c, &f, f.reached);
}

void cost_fini(struct cost *c)
{
    for (unsigned i = 0; i < c->entries; i++)
        free(c->entry[i].exit);
}

unsigned cost_words(const struct cost_path *path, uint8_t word[ISA_WORDS])
{
    for (unsigned i = 0; i < path->steps; i++) {
        if (path->step[i].passes != 1 || word_count(path->step[i].words) != 1)
            return 0;
        word[i] = (uint8_t)word_lowest(path->step[i].words);
    }
    return path->steps;
}

static bool asm_cost_find_exact(const struct flow *f, struct cost_path *path, struct witness *w)
{
    uint8_t word[ISA_WORDS];
    unsigned count = cost_words(path, word);
    path->exact = count != 0 && witness_find(f, word, count, w);
    return path->exact;
}

void cost_find_exact(struct cost *c, const struct image *im)
{
    struct flow f;
    struct witness *w = xmalloc(sizeof *w);
    flow_init(&f, im);
    for (unsigned i = 0; i < c->entries; i++) {
        struct cost_class *e = &c->entry[i];
        for (unsigned k = 0; k < e->exits; k++) {
            struct cost_exit *x = &e->exit[k];
            if (asm_cost_find_exact(&f, &x->best, w) && x->best.cycles == e->best)
                e->best_exact = true;
            if (asm_cost_find_exact(&f, &x->worst, w) && x->worst.cycles == e->worst)
                e->worst_exact = true;
        }
    }
    free(w);
}

double cost_rate(const struct cost *c, int64_t cycles, unsigned divide)
{
    double each = (double)cycles * divide;
    return 1000 / (each > c->beats ? each : c->beats);
}

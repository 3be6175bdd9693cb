/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for all paths that agree with a sample: depth first, from block to block against control flow. */
#include "host/path_graph.h"

enum { MOST_DEPTH = 1024 }; /* blocks on a path: a limit on recursion */

/* A callee that the path has entered at a return: the block of its call, and the frame around it. */
struct frame {
    uint32_t call;
    const struct frame *outer;
};

/* The end of a path so far: the start of `block`. */
struct place {
    uint32_t block;
    unsigned branches;    /* conditional branches on the path */
    unsigned transfers;   /* transfers on the path */
    unsigned distance;    /* instructions on the path */
    unsigned depth;       /* blocks on the path */
    bool true_so_far;
    bool has_partner;
    const struct frame *calls; /* NULL: in the sample's routine, or in a caller of it */
};

/* A way to go on backward. */
struct option {
    enum { GO, ENTER_CALLEE, LEAVE_CALLEE, END } action; /* END: at the beginning of the routine */
    uint32_t from;   /* the block before */
    uint32_t call;   /* of ENTER_CALLEE: the block of the call */
    bool transfer, branch, taken;
    uint64_t weight; /* how often control came this way */
};

struct search {
    const struct path_graph *g;
    const struct path_sample *sample;
    enum path_scheme scheme;
    enum path_scope scope;
    unsigned length;
    uint32_t partner_block, partner_insn;
    unsigned steps, found;
    bool found_true, limited;
    struct option best; /* of COUNTS: the heaviest option so far */
};

typedef void visit_fn(struct search *s, const struct place *at, const struct option *o);

static void extend(struct search *s, const struct place *at);

static void complete(struct search *s, const struct place *at)
{
    s->found++;
    s->found_true |= at->true_so_far;
}

/* Is nothing more to be learned? */
static bool is_decided(const struct search *s) { return s->found > 1 || s->limited; }

/* Puts the `count` instructions up to number `last` of a block in front of the path. Returns false if the path can no
 * longer have the other instruction of the pair. A path that is shorter than the pair's distance can still have it. */
static bool prepend(struct search *s, struct place *at, uint32_t last, unsigned count)
{
    unsigned before = at->distance, wanted = s->sample->distance;
    at->distance += count;
    if ((s->scheme != PATH_PAIR && s->scheme != PATH_DISTANCE) || before >= wanted)
        return true;
    if (s->partner_block == at->block && s->partner_insn <= last) {
        unsigned distance = before + 1 + last - s->partner_insn;
        at->has_partner |= s->scheme == PATH_DISTANCE ? distance == wanted : distance <= wanted;
    }
    return at->has_partner || at->distance < wanted;
}

/* Compares a transfer from the block `from` to the place with the sample's true path. */
static bool is_true(const struct search *s, const struct place *at, uint32_t from)
{
    const struct path_transfer *t = path_transfers(s->g, s->sample);
    return at->transfers < s->sample->transfers && t[at->transfers].pc == s->g->block[from].last &&
           t[at->transfers].next == s->g->block[at->block].start;
}

static void end_at_routine(struct search *s, const struct place *at)
{
    const struct path_transfer *t = path_transfers(s->g, s->sample);
    struct place end = *at;
    end.true_so_far =
        at->true_so_far && at->transfers < s->sample->transfers && path_enters_routine(s->g, &t[at->transfers], at->block);
    complete(s, &end);
}

static bool agrees_with_history(const struct search *s, const struct place *at, const struct option *o)
{
    return !o->branch || s->scheme == PATH_COUNTS || (s->sample->history >> at->branches & 1) == o->taken;
}

/* Goes one block back. */
static void take(struct search *s, const struct place *at, const struct option *o)
{
    const struct cfg_block *b = &s->g->block[o->from];
    struct frame callee = {.call = o->call, .outer = at->calls};
    struct place next = *at;
    if (o->action == END) {
        end_at_routine(s, at);
        return;
    }
    if (!agrees_with_history(s, at, o))
        return;
    s->limited |= ++s->steps > PATH_STEPS || at->depth == MOST_DEPTH;
    if (is_decided(s))
        return;
    next.block = o->from;
    next.depth++;
    next.branches += o->branch;
    if (o->transfer) {
        next.true_so_far = at->true_so_far && is_true(s, at, o->from);
        next.transfers++;
    }
    if (o->action == ENTER_CALLEE)
        next.calls = &callee;
    else if (o->action == LEAVE_CALLEE)
        next.calls = at->calls->outer;
    if (!prepend(s, &next, b->first + b->insns - 1, b->insns))
        return;
    if (next.branches == s->length)
        complete(s, &next);
    else
        extend(s, &next);
}

/* The options at a place. */

/* Does one of the first `count` callees have this return too? */
static bool is_shared(const struct search *s, uint32_t call, size_t count, uint32_t block)
{
    size_t edges, returns;
    const uint32_t *out = cfg_out(s->g->cfg, call, &edges);
    for (size_t i = 0; i < count; i++) {
        if (s->g->edge[out[i]].kind != CFG_CALL)
            continue;
        const uint32_t *list = cfg_returns(s->g->cfg, s->g->edge[out[i]].to, &returns);
        for (size_t n = 0; n < returns; n++)
            if (list[n] == block)
                return true;
    }
    return false;
}

/* Behind a call: the returns of its callees. */
static void visit_returns(struct search *s, const struct place *at, uint32_t call, visit_fn *visit)
{
    size_t edges, returns;
    const uint32_t *out = cfg_out(s->g->cfg, call, &edges);
    for (size_t i = 0; i < edges && !is_decided(s); i++) {
        if (s->g->edge[out[i]].kind != CFG_CALL)
            continue;
        const uint32_t *list = cfg_returns(s->g->cfg, s->g->edge[out[i]].to, &returns);
        for (size_t n = 0; n < returns && !is_decided(s); n++) {
            struct option o = {.action = ENTER_CALLEE, .from = list[n], .call = call, .transfer = true};
            if (is_shared(s, call, i, list[n]))
                continue;
            o.weight = path_edge_count(s->g->profile, s->g->block[list[n]].last, s->g->block[at->block].start);
            visit(s, at, &o);
        }
    }
}

/* Does the edge come into the routine that begins at its destination from outside? */
static bool comes_from_outside(const struct search *s, const struct cfg_edge *e)
{
    return s->g->block[e->to].entry &&
           (e->kind == CFG_CALL || s->g->block[e->from].function != s->g->block[e->to].function);
}

static void visit_edge(struct search *s, const struct place *at, uint32_t number, visit_fn *visit)
{
    const struct cfg_edge *e = &s->g->edge[number];
    struct option o = {.action = GO,
                       .from = e->from,
                       .transfer = e->kind != CFG_FALL,
                       .branch = e->kind == CFG_TAKEN || e->kind == CFG_NOT_TAKEN,
                       .taken = e->kind == CFG_TAKEN,
                       .weight = s->g->weight[number]};
    if (e->kind == CFG_PAST_CALL) {
        visit_returns(s, at, e->from, visit);
        return;
    }
    if (at->calls == NULL && s->scope == PATH_INTRAPROCEDURAL && comes_from_outside(s, e))
        return;
    if (e->kind == CFG_CALL && at->calls != NULL) {
        if (at->calls->call != e->from)
            return;
        o.action = LEAVE_CALLEE;
    }
    visit(s, at, &o);
}

/* Calls `visit` for each way back from the place. */
static void visit_options(struct search *s, const struct place *at, visit_fn *visit)
{
    size_t count;
    const uint32_t *in = cfg_in(s->g->cfg, at->block, &count);
    if (s->scope == PATH_INTRAPROCEDURAL && at->calls == NULL && s->g->block[at->block].entry) {
        struct option end = {.action = END};
        for (size_t i = 0; i < count; i++)
            if (comes_from_outside(s, &s->g->edge[in[i]]))
                end.weight += s->g->weight[in[i]];
        visit(s, at, &end);
    }
    for (size_t i = 0; i < count && !is_decided(s); i++)
        visit_edge(s, at, in[i], visit);
}

static void keep_heaviest(struct search *s, const struct place *at, const struct option *o)
{
    (void)at;
    if (o->weight > s->best.weight)
        s->best = *o;
}

static void extend(struct search *s, const struct place *at)
{
    if (s->scheme != PATH_COUNTS) {
        visit_options(s, at, take);
        return;
    }
    s->best = (struct option){0};
    visit_options(s, at, keep_heaviest);
    struct option heaviest = s->best;
    if (heaviest.weight != 0)
        take(s, at, &heaviest);
}

static enum path_outcome outcome(const struct search *s)
{
    if (s->found > 1)
        return PATH_SEVERAL;
    if (s->limited)
        return PATH_LIMIT;
    if (s->found == 0)
        return PATH_NONE;
    return s->found_true ? PATH_RIGHT : PATH_WRONG;
}

enum path_outcome path_reconstruct(const struct path_graph *g, const struct path_sample *sample, enum path_scheme scheme,
                                   enum path_scope scope, unsigned length)
{
    struct search s = {.g = g, .sample = sample, .scheme = scheme, .scope = scope, .length = length};
    struct place at = {.block = cfg_find(g->cfg, sample->pc), .true_so_far = true};
    if (scheme == PATH_RECORDS)
        return path_from_records(g, sample, scope, length);
    if (at.block == CFG_NONE)
        return PATH_NONE;
    s.partner_block = cfg_find(g->cfg, sample->partner_pc);
    if (s.partner_block != CFG_NONE)
        s.partner_insn = cfg_insn(g->cfg, s.partner_block, sample->partner_pc);
    uint32_t first = g->block[at.block].first, insn = cfg_insn(g->cfg, at.block, sample->pc);
    if (insn == first || prepend(&s, &at, insn - 1, insn - first))
        extend(&s, &at);
    return outcome(&s);
}

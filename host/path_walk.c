/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for all paths that agree with a sample: depth first, from block to block against control flow. */
#include "host/path_graph.h"

enum { MOST_DEPTH = 1024 }; /* blocks on a path: a limit on recursion */

/* A callee that the path has entered at a return: the block of its call, and the frame around it. */
struct frame {
    uint32_t call;
    const struct frame *outer;
};

/* A way to go on backward. */
struct option {
    enum { GO, ENTER_CALLEE, LEAVE_CALLEE } action;
    uint32_t from; /* the block before */
    uint32_t call; /* of ENTER_CALLEE: the block of the call */
    bool transfer, branch, taken;
    uint64_t weight; /* how often control came this way */
};

/* The end of a path so far: the start of `block`. */
struct place {
    uint32_t block;
    unsigned branches;  /* conditional branches on the path */
    unsigned transfers; /* transfers on the path */
    unsigned distance;  /* instructions on the path */
    unsigned depth;     /* blocks on the path */
    bool true_so_far;
    bool has_partner;
    bool has_ended; /* it is an intraprocedural path with what came before the routine's beginning */
    /* Of the schemes that compare likelihoods: the product of the options' shares of the counts; the sum of the weights
     * of the options at this place, and the heaviest of them. */
    double likelihood;
    uint64_t total;
    const struct option *heaviest;
    const struct frame *calls; /* NULL: in the sample's routine, or in a caller of it */
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
    bool is_continued; /* for the path that has ended at the routine's beginning a continuation is found */
    double likeliest;  /* likelihood of the path found; 0: none */
    /* Of the options at a place: the heaviest, and the sum of their weights. */
    struct option heaviest;
    uint64_t total;
};

typedef void visit_fn(struct search *s, const struct place *at, const struct option *o);

static void extend(struct search *s, const struct place *at);

static bool picks_likeliest(enum path_scheme s) { return s == PATH_LIKELY || s == PATH_LIKELY_PAIR; }

static bool uses_pair(enum path_scheme s) { return s == PATH_PAIR || s == PATH_DISTANCE || s == PATH_LIKELY_PAIR; }

static void complete(struct search *s, const struct place *at)
{
    s->is_continued = at->has_ended;
    if (!picks_likeliest(s->scheme)) {
        s->found++;
        s->found_true |= at->true_so_far;
    } else if (at->likelihood > s->likeliest) {
        s->found = 1;
        s->found_true = at->true_so_far;
        s->likeliest = at->likelihood;
    }
}

/* Is nothing more to be learned? */
static bool is_decided(const struct search *s) { return s->found > 1 || s->limited || s->is_continued; }

/* Puts the `count` instructions up to number `last` of a block in front of the path. Returns false if the path can no
 * longer have the other instruction of the pair. A path that is shorter than the pair's distance can still have it. */
static bool prepend(struct search *s, struct place *at, uint32_t last, unsigned count)
{
    unsigned before = at->distance, wanted = s->sample->distance;
    at->distance += count;
    if (!uses_pair(s->scheme) || before >= wanted)
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

/* Could control have come this way? */
static bool is_possible(struct search *s, const struct place *at, const struct option *o)
{
    s->limited |= ++s->steps > PATH_STEPS;
    if (s->scheme != PATH_STATIC && o->weight == 0)
        return false;
    return !o->branch || s->scheme == PATH_COUNTS || (s->sample->history >> at->branches & 1) == o->taken;
}

/* Goes one block back. */
static void take(struct search *s, const struct place *at, const struct option *o)
{
    const struct code_graph_block *b = &s->g->block[o->from];
    struct frame callee = {.call = o->call, .outer = at->calls};
    struct place next = *at;
    if (picks_likeliest(s->scheme) && !at->has_ended)
        next.likelihood *= (double)o->weight / (double)at->total;
    if (next.likelihood <= s->likeliest)
        return; /* a path does not become likelier */
    s->limited |= at->depth == MOST_DEPTH;
    if (is_decided(s))
        return;
    next.block = o->from;
    next.depth++;
    next.branches += o->branch;
    next.transfers += o->transfer;
    if (o->transfer && !at->has_ended)
        next.true_so_far = at->true_so_far && is_true(s, at, o->from);
    if (o->action == ENTER_CALLEE)
        next.calls = &callee;
    else if (o->action == LEAVE_CALLEE)
        /* LEAVE_CALLEE is chosen only within a call. */
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
        next.calls = at->calls->outer;
    if (!prepend(s, &next, b->first + b->insns - 1, b->insns))
        return;
    if (next.branches == s->length)
        complete(s, &next);
    else
        extend(s, &next);
}

/* The options at a place. */

/* Behind a call: the returns of its callees. */
static void visit_returns(struct search *s, const struct place *at, uint32_t call, visit_fn *visit)
{
    size_t returns;
    const uint32_t *list = code_graph_returns(s->g->cfg, call, &returns);
    uint64_t next = s->g->block[at->block].start;
    for (size_t i = 0; i < returns && !is_decided(s); i++) {
        struct option o = {.action = ENTER_CALLEE, .from = list[i], .call = call, .transfer = true};
        o.weight = path_edge_count(s->g->profile, s->g->block[list[i]].last, next);
        if (is_possible(s, at, &o))
            visit(s, at, &o);
    }
}

static void visit_edge(struct search *s, const struct place *at, uint32_t number, visit_fn *visit)
{
    const struct code_graph_edge *e = &s->g->edge[number];
    struct option o = {.action = GO,
                       .from = e->from,
                       .transfer = e->kind != CODE_GRAPH_FALL,
                       .branch = e->kind == CODE_GRAPH_TAKEN || e->kind == CODE_GRAPH_NOT_TAKEN,
                       .taken = e->kind == CODE_GRAPH_TAKEN,
                       .weight = s->g->weight[number]};
    if (e->kind == CODE_GRAPH_PAST_CALL) {
        visit_returns(s, at, e->from, visit);
        return;
    }
    if (e->kind == CODE_GRAPH_CALL && at->calls != NULL) {
        if (at->calls->call != e->from)
            return;
        o.action = LEAVE_CALLEE;
    }
    if (is_possible(s, at, &o))
        visit(s, at, &o);
}

/* Calls `visit` for each possible way back from the place. */
static void visit_options(struct search *s, const struct place *at, visit_fn *visit)
{
    size_t count;
    const uint32_t *in = code_graph_in(s->g->cfg, at->block, &count);
    for (size_t i = 0; i < count && !is_decided(s); i++)
        visit_edge(s, at, in[i], visit);
}

static void weigh(struct search *s, const struct place *at, const struct option *o)
{
    (void)at;
    s->total += o->weight;
    if (o->weight > s->heaviest.weight)
        s->heaviest = *o;
}

static void take_lighter(struct search *s, const struct place *at, const struct option *o)
{
    const struct option *h = at->heaviest;
    if (o->from != h->from || o->call != h->call || o->action != h->action || o->taken != h->taken)
        take(s, at, o);
}

/* Goes back from a place the way that control came most often, then, but for COUNTS, every other one. */
static void extend_by_weight(struct search *s, const struct place *at)
{
    s->heaviest = (struct option){0};
    s->total = 0;
    visit_options(s, at, weigh);
    if (s->total == 0)
        return;
    struct option heaviest = s->heaviest;
    struct place here = *at;
    here.total = s->total;
    here.heaviest = &heaviest;
    take(s, &here, &heaviest);
    if (s->scheme != PATH_COUNTS)
        visit_options(s, &here, take_lighter);
}

/* Goes back from the beginning of the sample's routine, where an intraprocedural path ends. The path is one only if
 * some path through the callers agrees with the rest of the history: all of them together are one. */
static void end_routine(struct search *s, const struct place *at)
{
    struct place end = *at;
    end.has_ended = true;
    if (s->scheme == PATH_COUNTS)
        complete(s, &end);
    else
        extend(s, &end);
    s->is_continued = false;
}

static void extend(struct search *s, const struct place *at)
{
    bool ends = s->scope == PATH_INTRAPROCEDURAL && at->calls == NULL && s->g->block[at->block].entry;
    if (ends && !at->has_ended)
        end_routine(s, at);
    else if (s->scheme == PATH_COUNTS || picks_likeliest(s->scheme))
        extend_by_weight(s, at);
    else
        visit_options(s, at, take);
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

enum path_outcome path_reconstruct(const struct path_graph *g, const struct path_sample *sample,
                                   enum path_scheme scheme, enum path_scope scope, unsigned length)
{
    struct search s = {.g = g, .sample = sample, .scheme = scheme, .scope = scope, .length = length};
    struct place at = {.block = code_graph_find(g->cfg, sample->pc), .true_so_far = true, .likelihood = 1};
    if (scheme == PATH_RECORDS)
        return path_from_records(g, sample, scope, length);
    if (at.block == CODE_GRAPH_NONE)
        return PATH_NONE;
    s.partner_block = code_graph_find(g->cfg, sample->partner_pc);
    if (s.partner_block != CODE_GRAPH_NONE)
        s.partner_insn = code_graph_insn(g->cfg, s.partner_block, sample->partner_pc);
    uint32_t first = g->block[at.block].first, insn = code_graph_insn(g->cfg, at.block, sample->pc);
    if (insn == first || prepend(&s, &at, insn - 1, insn - first))
        extend(&s, &at);
    return outcome(&s);
}

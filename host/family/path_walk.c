/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Depth-first search for all paths consistent with a sample, backward from block to block. */
#include "host/family/path_graph.h"

enum { MOST_DEPTH = 1024 }; /* blocks on a path: a limit on recursion */

/* A callee that the path has entered at a return: the block of its call, and the enclosing frame. */
struct path_walk_frame {
    uint32_t call;
    const struct path_walk_frame *outer;
};

/* A backward step. */
struct option {
    enum { GO, ENTER_CALLEE, LEAVE_CALLEE } action;
    uint32_t from; /* the preceding block */
    uint32_t call; /* of ENTER_CALLEE: the block of the call */
    bool transfer, branch, taken;
    uint64_t weight; /* number of executions of this step */
};

/* The current end of a path: the start of `block`. */
struct path_walk_place {
    uint32_t block;
    unsigned branches;  /* conditional branches on the path */
    unsigned transfers; /* transfers on the path */
    unsigned distance;  /* instructions on the path */
    unsigned depth;     /* blocks on the path */
    bool true_so_far;
    bool has_partner;
    bool has_ended; /* an intraprocedural path, extended beyond the entry of its routine */
    /* For schemes that compare likelihoods: the product of the options' shares of the counts; the sum of the weights
     * of the options at this place, and the maximum of them. */
    double likelihood;
    uint64_t total;
    const struct option *heaviest;
    const struct path_walk_frame *calls; /* NULL: in the sample's routine or in one of its callers */
};

struct path_walk_search {
    const struct path_graph *g;
    const struct path_sample *sample;
    enum path_scheme scheme;
    enum path_scope scope;
    unsigned length;
    uint32_t partner_block, partner_insn;
    unsigned steps, found;
    bool found_true, limited;
    bool is_continued; /* a continuation has been found for the path that ended at the routine's entry */
    double likeliest;  /* likelihood of the path found; 0: none */
    /* The option with the maximum weight at a place, and the sum of the weights. */
    struct option heaviest;
    uint64_t total;
};

typedef void visit_fn(struct path_walk_search *s, const struct path_walk_place *at, const struct option *o);

static void path_walk_extend(struct path_walk_search *s, const struct path_walk_place *at);

static bool picks_likeliest(enum path_scheme s) { return s == PATH_LIKELY || s == PATH_LIKELY_PAIR; }

static bool uses_pair(enum path_scheme s) { return s == PATH_PAIR || s == PATH_DISTANCE || s == PATH_LIKELY_PAIR; }

static void path_walk_complete(struct path_walk_search *s, const struct path_walk_place *at)
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

/* Whether further search cannot change the outcome. */
static bool is_decided(const struct path_walk_search *s) { return s->found > 1 || s->limited || s->is_continued; }

/* Prepends the `count` instructions up to number `last` of a block to the path. Returns false if the path can no
 * longer contain the other instruction of the pair; a path shorter than the pair's distance still can. */
static bool prepend(struct path_walk_search *s, struct path_walk_place *at, uint32_t last, unsigned count)
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

/* Whether the transfer from block `from` to the place is on the sample's true path. */
static bool is_true(const struct path_walk_search *s, const struct path_walk_place *at, uint32_t from)
{
    const struct path_transfer *t = path_transfers(s->g, s->sample);
    return at->transfers < s->sample->transfers && t[at->transfers].pc == s->g->block[from].last &&
           t[at->transfers].next == s->g->block[at->block].start;
}

/* Whether the step is consistent with the sample. */
static bool is_possible(struct path_walk_search *s, const struct path_walk_place *at, const struct option *o)
{
    s->limited |= ++s->steps > PATH_STEPS;
    if (s->scheme != PATH_STATIC && o->weight == 0)
        return false;
    return !o->branch || s->scheme == PATH_COUNTS || (s->sample->history >> at->branches & 1) == o->taken;
}

/* Extends the path backward by one block. */
static void path_walk_take(struct path_walk_search *s, const struct path_walk_place *at, const struct option *o)
{
    const struct code_graph_block *b = &s->g->block[o->from];
    struct path_walk_frame callee = {.call = o->call, .outer = at->calls};
    struct path_walk_place next = *at;
    if (picks_likeliest(s->scheme) && !at->has_ended)
        next.likelihood *= (double)o->weight / (double)at->total;
    if (next.likelihood <= s->likeliest)
        return; /* a longer path is never more likely */
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
        path_walk_complete(s, &next);
    else
        path_walk_extend(s, &next);
}

/* The options at a place. */

/* After a call: visits the returns of its callees. */
static void visit_returns(struct path_walk_search *s, const struct path_walk_place *at, uint32_t call, visit_fn *visit)
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

static void visit_edge(struct path_walk_search *s, const struct path_walk_place *at, uint32_t number, visit_fn *visit)
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

/* Calls `visit` for each possible backward step from the place. */
static void visit_options(struct path_walk_search *s, const struct path_walk_place *at, visit_fn *visit)
{
    size_t count;
    const uint32_t *in = code_graph_in(s->g->cfg, at->block, &count);
    for (size_t i = 0; i < count && !is_decided(s); i++)
        visit_edge(s, at, in[i], visit);
}

static void weigh(struct path_walk_search *s, const struct path_walk_place *at, const struct option *o)
{
    (void)at;
    s->total += o->weight;
    if (o->weight > s->heaviest.weight)
        s->heaviest = *o;
}

static void take_lighter(struct path_walk_search *s, const struct path_walk_place *at, const struct option *o)
{
    const struct option *h = at->heaviest;
    if (o->from != h->from || o->call != h->call || o->action != h->action || o->taken != h->taken)
        path_walk_take(s, at, o);
}

/* Extends the path backward by the most frequent step, then, except in the scheme COUNTS, by every other step. */
static void extend_by_weight(struct path_walk_search *s, const struct path_walk_place *at)
{
    s->heaviest = (struct option){0};
    s->total = 0;
    visit_options(s, at, weigh);
    if (s->total == 0)
        return;
    struct option heaviest = s->heaviest;
    struct path_walk_place here = *at;
    here.total = s->total;
    here.heaviest = &heaviest;
    path_walk_take(s, &here, &heaviest);
    if (s->scheme != PATH_COUNTS)
        visit_options(s, &here, take_lighter);
}

/* Continues beyond the entry of the sample's routine, where an intraprocedural path ends. The path is valid only if
 * at least one path through the callers is consistent with the rest of the history; all such paths count as one. */
static void end_routine(struct path_walk_search *s, const struct path_walk_place *at)
{
    struct path_walk_place end = *at;
    end.has_ended = true;
    if (s->scheme == PATH_COUNTS)
        path_walk_complete(s, &end);
    else
        path_walk_extend(s, &end);
    s->is_continued = false;
}

static void path_walk_extend(struct path_walk_search *s, const struct path_walk_place *at)
{
    bool ends = s->scope == PATH_INTRAPROCEDURAL && at->calls == NULL && s->g->block[at->block].entry;
    if (ends && !at->has_ended)
        end_routine(s, at);
    else if (s->scheme == PATH_COUNTS || picks_likeliest(s->scheme))
        extend_by_weight(s, at);
    else
        visit_options(s, at, path_walk_take);
}

static enum path_outcome outcome(const struct path_walk_search *s)
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
    struct path_walk_search s = {.g = g, .sample = sample, .scheme = scheme, .scope = scope, .length = length};
    struct path_walk_place at = {.block = code_graph_find(g->cfg, sample->pc), .true_so_far = true, .likelihood = 1};
    if (scheme == PATH_RECORDS)
        return path_from_records(g, sample, scope, length);
    if (at.block == CODE_GRAPH_NONE)
        return PATH_NONE;
    s.partner_block = code_graph_find(g->cfg, sample->partner_pc);
    if (s.partner_block != CODE_GRAPH_NONE)
        s.partner_insn = code_graph_insn(g->cfg, s.partner_block, sample->partner_pc);
    uint32_t first = g->block[at.block].first, insn = code_graph_insn(g->cfg, at.block, sample->pc);
    if (insn == first || prepend(&s, &at, insn - 1, insn - first))
        path_walk_extend(&s, &at);
    return outcome(&s);
}

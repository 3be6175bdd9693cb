/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Observer `graph`: what the removal of each instruction's causes of delay would gain, estimated from graphs of
 * dependences of consecutive retired instructions, without another run. Without the option `period` windows follow each
 * other, so every instruction is in one. With it windows begin at random instructions: hardware records the stages of
 * consecutive instructions for a window, as ProfileMe does of one.
 *
 * An instruction's questions are answered in the window that it is in; the graph has the instructions before and behind
 * the window too, so that what is hidden by or delays those is seen. */
#include "core-model/prof/graph/graph_observer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core-model/prof/count/geometric.h"
#include "core-model/prof/graph/graph_window.h"
#include "core-model/prof/pc_index.h"

/* Cycles of a window at the most: nodes have 32 bits for their cycles. */
enum { GRAPH_SPAN = 1 << 30 };

enum { GRAPH_OPTION_WINDOW, GRAPH_OPTION_PERIOD, GRAPH_OPTION_SEED };

static const struct text_option graph_options[] = {
    [GRAPH_OPTION_WINDOW] = {.name = "window", .unit = "instructions", .least = 64, .most = 65536, .otherwise = 1024},
    [GRAPH_OPTION_PERIOD] = {.name = "period", .unit = "instructions", .least = 0, .most = UINT64_C(1) << 40},
    [GRAPH_OPTION_SEED] = {.name = "seed", .unit = "numbers", .most = UINT64_MAX, .otherwise = TEXT_OPTION_SEED},
    {.name = NULL},
};

struct graph_sum {
    uint64_t events, gaining; /* gaining: windows with a gain or loss */
    int64_t gain, square;     /* sums over windows of the gain, and of its square */
    uint64_t critical, slack; /* events without slack, and the sum of the slacks */
    int64_t delay;            /* by the cause, of the events without slack */
};

/* An address, by its number. */
struct graph_address {
    uint64_t pc;
    int32_t asked[GRAPH_CAUSES]; /* its questions in this window; GRAPH_NONE: none */
    struct graph_sum sum[GRAPH_CAUSES];
};

/* A question of a window: about all executions of an address with a cause. */
struct graph_question {
    uint32_t number; /* of the address */
    uint32_t events;
    enum graph_cause cause;
    int32_t begin, end; /* its nodes are in [begin, end) */
};

struct graph_observer {
    struct observer base;
    struct graph_window window;
    int32_t size;
    uint64_t period, left; /* retirements until a window begins */
    struct geometric intervals;
    struct random random;
    struct pc_index index;
    const struct pc_page *page;
    struct graph_address *address; /* by number, from 1 */
    uint32_t capacity;
    struct graph_question *question;
    int32_t questions, room;
    int64_t together;
    const struct ideal *const *asked; /* borrowed; NULL: nothing is asked besides */
    double *answer, *gain;            /* cycles of the windows; NaN: unknown */
    size_t answers;
    struct graph_profile profile; /* valid after finish */
    char *removed[GRAPH_CAUSES];
};

/* ---- questions ---- */

static uint32_t graph_number(struct graph_observer *o, uint64_t pc)
{
    uint32_t at = pc_index_find(&o->index, pc, &o->page);
    if (at != 0)
        return at;
    bool is_new;
    at = pc_index_enter(&o->index, pc, &is_new);
    if (!is_new)
        return at;
    if (at == o->capacity) {
        o->capacity *= 2;
        o->address = xrealloc(o->address, o->capacity * sizeof *o->address);
    }
    o->address[at] = (struct graph_address){.pc = pc};
    for (unsigned c = 0; c < GRAPH_CAUSES; c++)
        o->address[at].asked[c] = GRAPH_NONE;
    return at;
}

/* Adds the slack of node n, which has the cause. */
static void graph_note_slack(struct graph_sum *s, const struct graph *g, int32_t n, enum graph_cause cause)
{
    const int32_t slack = graph_slack(g, n, graph_delayed(g, n, cause));
    s->slack += (uint64_t)slack;
    s->critical += slack == 0;
    s->delay += slack == 0 ? graph_delay(g, n, cause) : 0;
}

/* Node n has the cause. */
static void graph_ask(struct graph_observer *o, int32_t n, enum graph_cause cause)
{
    struct graph_node *in = &o->window.graph.node[n];
    const uint32_t number = graph_number(o, in->pc);
    int32_t *asked = &o->address[number].asked[cause];
    if (*asked == GRAPH_NONE) {
        if (o->questions == o->room) {
            o->room = o->room != 0 ? 2 * o->room : 64;
            o->question = xrealloc(o->question, (size_t)o->room * sizeof *o->question);
        }
        *asked = o->questions;
        o->question[o->questions++] = (struct graph_question){.number = number, .cause = cause, .begin = n};
    }
    graph_note_slack(&o->address[number].sum[cause], &o->window.graph, n, cause);
    struct graph_question *q = &o->question[*asked];
    q->end = n + 1;
    q->events++;
    in->question[cause] = *asked;
    in->is_asked = true;
}

/* The causes of a node's delay, as a set of bits by enum graph_cause. */
static unsigned graph_causes_of(const struct graph_node *in)
{
    const unsigned flags = in->flags;
    unsigned causes = 0;
    if ((flags & GRAPH_MISPREDICTED) != 0)
        causes |= 1u << GRAPH_CAUSE_BRANCH;
    if ((flags & GRAPH_DATA_MISS) != 0)
        causes |= 1u << ((flags & (GRAPH_IS_STORE | GRAPH_ALONE)) != 0 ? GRAPH_CAUSE_TLB : GRAPH_CAUSE_LOAD);
    if ((flags & (GRAPH_WAITS | GRAPH_REPLAYED)) != 0)
        causes |= 1u << GRAPH_CAUSE_FORWARD;
    if ((flags & GRAPH_IS_LONG) != 0)
        causes |= 1u << GRAPH_CAUSE_LATENCY;
    if ((flags & GRAPH_ALONE) != 0 && (flags & GRAPH_STAYS) == 0)
        causes |= 1u << GRAPH_CAUSE_FLUSH;
    if ((flags & GRAPH_BEGINS_PACKET) != 0 && (flags & GRAPH_FETCH_MISS) != 0 && in->rest[GRAPH_FETCH] > 0)
        causes |= 1u << GRAPH_CAUSE_FETCH;
    return causes;
}

static void graph_ask_node(struct graph_observer *o, int32_t n)
{
    const unsigned causes = graph_causes_of(&o->window.graph.node[n]);
    for (enum graph_cause c = 0; c < GRAPH_CAUSES; c++)
        if ((causes >> c & 1) != 0)
            graph_ask(o, n, c);
}

static void graph_forget_node(struct graph_node *in)
{
    in->is_asked = false;
    for (unsigned c = 0; c < GRAPH_CAUSES; c++)
        in->question[c] = GRAPH_NONE;
}

static void graph_add(struct graph_sum *s, int64_t gain, uint32_t events)
{
    s->events += events;
    s->gaining += gain != 0;
    s->gain += gain;
    s->square += gain * gain;
}

/* The causes that the graph has; others remain when they are removed. */
static uint32_t graph_known_causes(void)
{
    uint32_t known = 0;
    for (unsigned c = 0; c < GRAPH_CAUSES; c++)
        known |= graph_ideal_causes[c];
    return known;
}

/* Puts the causes of a node that are `removed` (enum ideal_cause) into question 0. False: the graph has one of them
 * only together with others, which remain. */
static bool graph_remove(struct graph_node *in, uint32_t removed)
{
    const unsigned causes = removed != 0 ? graph_causes_of(in) : 0;
    bool is_known = (removed & ~graph_known_causes()) == 0;
    in->is_asked = false;
    for (enum graph_cause c = 0; c < GRAPH_CAUSES; c++) {
        const uint32_t common = (causes >> c & 1) != 0 ? graph_ideal_causes[c] & removed : 0;
        in->question[c] = common != 0 ? 0 : GRAPH_NONE;
        in->is_asked |= common != 0;
        is_known &= common == 0 || common == graph_ideal_causes[c];
    }
    return is_known;
}

/* The gain of the nodes in [begin, end) without the causes of a set of instructions, in cycles; NaN: unknown. */
static double graph_answer_asked(struct graph *g, const struct ideal *asked, int32_t begin, int32_t end)
{
    bool is_known = true, is_asked = false;
    for (int32_t n = begin; n < end; n++) {
        is_known &= graph_remove(&g->node[n], ideal_causes(asked, g->node[n].pc));
        is_asked |= g->node[n].is_asked;
    }
    if (!is_known)
        return (double)NAN;
    return is_asked ? graph_answer(g, 0, 0, begin, end) : 0;
}

/* Answers the questions of the nodes in [begin, end). */
static void graph_take_window(struct graph_observer *o, int32_t begin, int32_t end)
{
    struct graph *g = &o->window.graph;
    o->questions = 0;
    graph_explain(g);
    graph_find_slack(g);
    for (int32_t n = begin; n < end; n++)
        graph_ask_node(o, n);
    for (int32_t k = 0; k < o->questions; k++) {
        const struct graph_question *q = &o->question[k];
        graph_add(&o->address[q->number].sum[q->cause], graph_answer(g, k, k, q->begin, q->end), q->events);
        o->address[q->number].asked[q->cause] = GRAPH_NONE;
    }
    if (o->questions > 0)
        o->together += graph_answer(g, 0, o->questions - 1, begin, end);
    for (size_t k = 0; k < o->answers; k++)
        o->answer[k] += graph_answer_asked(g, o->asked[k], begin, end);
    for (int32_t n = begin; n < end; n++)
        graph_forget_node(&g->node[n]);
    o->profile.windows++;
    o->profile.covered += (uint64_t)(end - begin);
}

/* ---- windows ---- */

/* The next instruction has no predecessors; with a period, it is one chosen at random. */
static void graph_restart(struct graph_observer *o)
{
    graph_window_begin(&o->window);
    if (o->period != 0)
        o->left = geometric_draw(&o->intervals, &o->random);
}

/* A full graph: its window is between the context, of which the run's first window has none, and the tail. */
static void graph_end_window(struct graph_observer *o)
{
    struct graph *g = &o->window.graph;
    const int32_t begin = o->window.start == 0 && o->period == 0 ? 0 : g->context, end = g->nodes - g->tail;
    graph_take_window(o, begin, end);
    if (o->period == 0) {
        graph_window_remove(&o->window, end - g->context);
        return;
    }
    graph_restart(o);
}

/* Answers the questions of a graph that is not full: at the end of the run, or before a gap in time. */
static void graph_end_early(struct graph_observer *o)
{
    const struct graph *g = &o->window.graph;
    const int32_t begin = o->window.start == 0 ? 0 : g->context;
    if (o->period == 0 && g->nodes > begin)
        graph_take_window(o, begin, g->nodes);
    graph_restart(o);
}

static void graph_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct graph_observer *o = ctx;
    o->profile.retired++;
    if (o->window.graph.nodes > 0 && cycle - o->window.base > GRAPH_SPAN)
        graph_end_early(o); /* a hart was idle */
    if (o->left > 0) {
        o->left--;
        return;
    }
    graph_window_add(&o->window, in, cycle);
    if (graph_window_is_full(&o->window))
        graph_end_window(o);
}

static struct observer *graph_create(const struct observer_kind *kind, const struct observer_setup *setup)
{
    struct graph_observer *o = xcalloc(1, sizeof *o);
    o->base.kind = kind;
    o->base.probe = (struct probe_listener){.ctx = o, .cycles = GRAPH_WINDOW_CYCLES, .values = true};
    o->base.probe.stage[PROBE_RETIRED] = graph_retired;
    o->size = (int32_t)setup->option[GRAPH_OPTION_WINDOW];
    o->period = setup->option[GRAPH_OPTION_PERIOD];
    o->random.state = setup->option[GRAPH_OPTION_SEED];
    if (o->period != 0) {
        geometric_init(&o->intervals, o->period);
        o->left = geometric_draw(&o->intervals, &o->random);
    }
    o->page = &pc_no_page;
    pc_index_init(&o->index);
    o->capacity = 256;
    o->address = xcalloc(o->capacity, sizeof *o->address);
    return &o->base;
}

static void graph_attach(struct observer *base, struct core *core)
{
    struct graph_observer *o = (struct graph_observer *)base;
    graph_window_init(&o->window, core_configuration(core), o->size);
}

void graph_observer_ask(struct observer *base, const struct ideal *const *asked, size_t count)
{
    struct graph_observer *o = (struct graph_observer *)base;
    if (base->kind != &observer_graph || count == 0)
        return;
    o->asked = asked;
    o->answers = count;
    free(o->answer);
    free(o->gain);
    o->answer = xcalloc(count, sizeof *o->answer);
    o->gain = xcalloc(count, sizeof *o->gain);
}

/* ---- the profile ---- */

/* The gain of the run from that of the windows. Their choice has the variance of a sum of independent terms. */
static struct graph_row graph_estimate(const struct graph_observer *o, uint64_t pc, unsigned cause,
                                       const struct graph_sum *s)
{
    const double windows = (double)o->profile.windows, scale = (double)o->profile.retired / (double)o->profile.covered;
    const double mean = (double)s->gain / windows;
    struct graph_row r = {.pc = pc,
                          .causes = graph_ideal_causes[cause],
                          .removed = o->removed[cause],
                          .events = s->events,
                          .gaining = s->gaining,
                          .critical = s->critical,
                          .slack = s->slack,
                          .delay = scale * (double)s->delay,
                          .gain = scale * (double)s->gain};
    if (o->period != 0 && windows > 1)
        r.variance = scale * scale * ((double)s->square - windows * mean * mean) * windows / (windows - 1);
    return r;
}

static void graph_free_profile(struct graph_observer *o)
{
    for (unsigned c = 0; c < GRAPH_CAUSES; c++)
        free(o->removed[c]);
    free((void *)o->profile.row);
    o->profile.rows = 0;
}

static void graph_finish(struct observer *base, uint64_t cycles, struct hart *hart)
{
    struct graph_observer *o = (struct graph_observer *)base;
    struct graph_profile *p = &o->profile;
    (void)cycles, (void)hart;
    graph_end_early(o);
    graph_free_profile(o);
    struct graph_row *row = xcalloc((size_t)(o->index.last + 1) * GRAPH_CAUSES + 1, sizeof *row);
    p->label = base->label != NULL ? base->label : base->kind->name;
    p->is_whole = o->period == 0;
    for (unsigned c = 0; c < GRAPH_CAUSES; c++)
        o->removed[c] = ideal_print(graph_ideal_causes[c]);
    for (uint32_t n = 1; n <= o->index.last && p->covered > 0; n++)
        for (unsigned c = 0; c < GRAPH_CAUSES; c++)
            if (o->address[n].sum[c].events > 0)
                row[p->rows++] = graph_estimate(o, o->address[n].pc, c, &o->address[n].sum[c]);
    qsort(row, p->rows, sizeof *row, graph_row_compare);
    p->row = row;
    const double scale = p->covered > 0 ? (double)p->retired / (double)p->covered : 0;
    p->together = (double)o->together * scale;
    for (size_t k = 0; k < o->answers; k++)
        o->gain[k] = o->answer[k] * scale;
    p->asked = o->gain;
    p->questions = o->answers;
}

static const struct graph_profile *graph_profile_of(const struct observer *o)
{
    return &((const struct graph_observer *)o)->profile;
}

static void graph_release(struct observer *base)
{
    struct graph_observer *o = (struct graph_observer *)base;
    graph_window_fini(&o->window);
    pc_index_fini(&o->index);
    graph_free_profile(o);
    free(o->address);
    free(o->question);
    free(o->answer);
    free(o->gain);
    free(o);
}

const struct observer_kind observer_graph = {
    .name = "graph",
    .help = "estimates what the removal of each cause of delay gains, from graphs of dependences",
    .options = graph_options,
    .out_of_order = true,
    .create = graph_create,
    .attach = graph_attach,
    .finish = graph_finish,
    .graphs = graph_profile_of,
    .release = graph_release,
};

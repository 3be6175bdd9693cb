/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/graph/graph_window.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core-model/riscv/memory.h"

/* The nodes in which a load or store is sought that a load depends on. */
enum { GRAPH_WINDOW_SEARCH = 128 };

void graph_window_init(struct graph_window *w, const struct core_config *cfg, int32_t size)
{
    *w = (struct graph_window){0};
    graph_init(&w->graph, cfg, size);
    w->access = xcalloc((size_t)w->graph.capacity, sizeof *w->access);
    w->line_bits = (unsigned)__builtin_ctz(cfg->line_bytes);
    for (unsigned r = 0; r < GRAPH_RESOURCES; r++)
        w->holder[r] = xcalloc(w->graph.place_count[r], sizeof *w->holder[r]);
#define UNIT(key, kind, n, lat, pipe, help) w->is_piped[RV_UNIT_##kind] = cfg->key##_pipelined != 0;
#include "core-model/config/config.def"
    for (unsigned u = 0; u < RV_UNIT_COUNT; u++) {
        const bool is_memory = u == RV_UNIT_LOAD || u == RV_UNIT_STORE || u == RV_UNIT_AMO;
        w->queue_for[u] = rv_unit_is_fp(u) ? 2 : is_memory && cfg->mem_in_int_queue == 0 ? 0 : 1;
    }
    graph_window_begin(w);
}

void graph_window_fini(struct graph_window *w)
{
    for (unsigned r = 0; r < GRAPH_RESOURCES; r++)
        free(w->holder[r]);
    free(w->access);
    graph_fini(&w->graph);
}

void graph_window_begin(struct graph_window *w)
{
    w->start = 0;
    w->graph.nodes = 0;
    w->store = GRAPH_NONE;
    for (unsigned n = 0; n < GRAPH_REGISTERS; n++)
        w->writer[n] = GRAPH_NONE;
    memset(w->held, 0, sizeof w->held);
}

/* ---- edges ---- */

static int32_t graph_window_index(const struct graph_window *w, int64_t number)
{
    return number >= w->start ? (int32_t)(number - w->start) : GRAPH_NONE;
}

/* The node takes a place of the resource. */
static void graph_window_take(struct graph_window *w, struct graph_node *node, enum graph_resource r, int64_t number)
{
    const unsigned places = w->graph.place_count[r], at = w->held[r] % places;
    node->freed_by[r] = w->held[r] >= places ? graph_window_index(w, w->holder[r][at]) : GRAPH_NONE;
    w->holder[r][at] = number;
    w->held[r]++;
}

/* A packet's place is freed by its last instruction, the one before the next packet's first. */
static void graph_window_take_packet(struct graph_window *w, struct graph_node *node, int64_t number)
{
    const unsigned places = w->graph.place_count[GRAPH_PACKETS];
    const int64_t next = places > 1 ? w->holder[GRAPH_PACKETS][(w->held[GRAPH_PACKETS] + 1) % places] : number;
    const bool is_full = w->held[GRAPH_PACKETS] >= places;
    graph_window_take(w, node, GRAPH_PACKETS, number);
    node->freed_by[GRAPH_PACKETS] = is_full ? graph_window_index(w, next - 1) : GRAPH_NONE;
}

static void graph_window_take_all(struct graph_window *w, struct graph_node *node, const struct rv_insn *insn,
                                  int64_t number)
{
    for (unsigned r = 0; r < GRAPH_RESOURCES; r++)
        node->freed_by[r] = GRAPH_NONE;
    if ((node->flags & GRAPH_BEGINS_PACKET) != 0)
        graph_window_take_packet(w, node, number);
    if (insn->unit == RV_UNIT_LOAD)
        graph_window_take(w, node, GRAPH_LOADS, number);
    if (insn->unit == RV_UNIT_STORE)
        graph_window_take(w, node, GRAPH_STORES, number);
    if (insn->dst != 0)
        graph_window_take(w, node, insn->dst >= 32 ? GRAPH_FP_REGISTERS : GRAPH_INT_REGISTERS, number);
}

static void graph_window_produce(struct graph_window *w, struct graph_node *node, const struct rv_insn *insn,
                                 int64_t number)
{
    for (unsigned k = 0; k < GRAPH_PRODUCERS; k++)
        node->producer[k] = insn->src[k] != 0 ? graph_window_index(w, w->writer[insn->src[k]]) : GRAPH_NONE;
    if (insn->dst != 0)
        w->writer[insn->dst] = number;
}

/* The oldest node for which the search goes back from the next one. */
static int32_t graph_window_oldest(const struct graph_window *w)
{
    return w->graph.nodes > GRAPH_WINDOW_SEARCH ? w->graph.nodes - GRAPH_WINDOW_SEARCH : 0;
}

/* The load whose miss fetches the line that the next node needs from cycle `from` on. */
static int32_t graph_window_leader(const struct graph_window *w, uint64_t line, int32_t from)
{
    int32_t leader = GRAPH_NONE;
    for (int32_t k = w->graph.nodes - 1; k >= graph_window_oldest(w); k--)
        if (w->access[k].missed_line == line && w->graph.node[k].at[GRAPH_DONE] >= from)
            leader = k;
    return leader;
}

/* The access whose TLB miss fetches the translation that the next node misses, too. */
static int32_t graph_window_walker(const struct graph_window *w, uint64_t page)
{
    int32_t walker = GRAPH_NONE;
    for (int32_t k = w->graph.nodes - 1; k >= graph_window_oldest(w); k--)
        if (w->access[k].missed_page == page)
            walker = k;
    return walker;
}

/* The youngest store to the bytes of the next node, a load. */
static int32_t graph_window_forwarder(const struct graph_window *w, const struct rv_outcome *load)
{
    for (int32_t k = w->graph.nodes - 1; k >= graph_window_oldest(w); k--) {
        const struct graph_access *a = &w->access[k];
        if (a->is_store && a->address < load->ea + load->mem_bytes && load->ea < a->address + a->bytes)
            return k;
    }
    return GRAPH_NONE;
}

/* The older store that completes last while the next node, a load, waits. */
static int32_t graph_window_awaited(const struct graph_window *w, const struct graph_node *load)
{
    int32_t awaited = GRAPH_NONE, latest = load->at[GRAPH_ISSUE];
    for (int32_t k = w->graph.nodes - 1; k >= graph_window_oldest(w); k--) {
        const int32_t done = w->graph.node[k].at[GRAPH_DONE];
        if (w->access[k].is_store && done > latest && done <= load->at[GRAPH_DONE]) {
            awaited = k;
            latest = done;
        }
    }
    return awaited;
}

static void graph_window_access(struct graph_window *w, struct graph_node *node, const struct probe_insn *in)
{
    const struct rv_outcome *o = in->outcome;
    struct graph_access *a = &w->access[w->graph.nodes];
    const bool is_load = (in->insn->flags & RV_LOAD) != 0;
    const uint64_t line = (o->ea >> w->line_bits) + 1, page = (o->ea >> MEM_PAGE_BITS) + 1;
    *a = (struct graph_access){.is_store = (in->insn->flags & RV_STORE) != 0};
    if (o->mem_bytes == 0)
        return;
    a->address = o->ea;
    a->bytes = o->mem_bytes;
    if (is_load && (in->events & PROBE_FORWARDED) != 0)
        node->forwarder = graph_window_forwarder(w, o);
    else if ((node->flags & GRAPH_WAITS) != 0)
        node->forwarder = graph_window_awaited(w, node);
    if (is_load && (node->flags & GRAPH_DATA_MISS) != 0) {
        a->missed_line = line;
        node->leader = graph_window_leader(w, line, node->at[GRAPH_ISSUE]);
    }
    if ((node->flags & GRAPH_IS_STORE) != 0)
        node->leader = graph_window_leader(w, line, INT32_MIN);
    if ((in->events & PROBE_DTLB_MISS) != 0 && (in->events & PROBE_DCACHE_MISS) == 0)
        node->walker = graph_window_walker(w, page);
    a->missed_page = (in->events & PROBE_DTLB_MISS) != 0 ? page : 0;
}

/* A store that waits for a place in the store queue shows when the one that frees it has drained. */
static void graph_window_drain(struct graph_window *w, struct graph_node *node, const struct probe_insn *in,
                               int64_t number)
{
    const int32_t freed = node->freed_by[GRAPH_STORES];
    if ((node->flags & GRAPH_IS_STORE) == 0)
        return;
    node->older_store = graph_window_index(w, w->store);
    node->at[GRAPH_DRAIN] = node->at[GRAPH_RETIRE] + 1;
    w->store = number;
    if (freed >= 0 && (in->events & PROBE_STORE_QUEUE_FULL) != 0)
        w->graph.node[freed].at[GRAPH_DRAIN] = node->at[GRAPH_MAP];
}

/* ---- nodes ---- */

/* Whether a load that hits waits for older stores, or is fetched again behind the retirement of all of them. */
static unsigned graph_window_waits(const struct graph *g, const struct probe_insn *in, int32_t fetched,
                                   uint64_t latency)
{
    const struct graph_node *before = g->nodes > 0 ? &g->node[g->nodes - 1] : NULL;
    const bool begins = (in->events & (PROBE_ICACHE_MISS | PROBE_ITLB_MISS)) != 0 || before == NULL ||
                        (before->flags & (GRAPH_FLUSHES | GRAPH_ALONE)) != 0;
    unsigned flags = 0;
    if (latency > (uint64_t)g->forward_cycles)
        flags |= GRAPH_WAITS;
    if (!begins && fetched > before->at[GRAPH_RETIRE])
        flags |= GRAPH_REPLAYED;
    return flags;
}

/* Whether a miss delays the access that can be removed: of a load any, of a store that of the TLB; of an atomic, which
 * writes, that of the TLB if its line is there. */
static bool graph_window_misses(const struct probe_insn *in)
{
    const bool translates = (in->events & PROBE_DTLB_MISS) != 0, fetches = (in->events & PROBE_DCACHE_MISS) != 0;
    if ((in->insn->flags & RV_SERIAL) != 0)
        return translates && !fetches;
    return translates || (fetches && (in->insn->flags & RV_LOAD) != 0);
}

static uint16_t graph_window_flags(const struct graph_window *w, const struct probe_insn *in, int32_t fetched)
{
    const struct rv_insn *insn = in->insn;
    const struct graph *g = &w->graph;
    const bool accesses = (insn->flags & (RV_LOAD | RV_STORE)) != 0;
    const uint64_t latency = in->stage_cycle[PROBE_READY_TO_RETIRE] - in->stage_cycle[PROBE_ISSUED];
    unsigned flags = 0;
    if (g->nodes == 0 || g->node[g->nodes - 1].at[GRAPH_FETCH] != fetched)
        flags |= GRAPH_BEGINS_PACKET;
    if ((in->events & PROBE_MISPREDICTED) != 0)
        flags |= GRAPH_MISPREDICTED;
    if ((in->events & PROBE_FLUSHES) != 0)
        flags |= GRAPH_FLUSHES;
    if ((insn->flags & RV_SERIAL) != 0)
        flags |= GRAPH_ALONE | (rv_is_always_alone(insn) ? GRAPH_STAYS : 0);
    if ((insn->flags & (RV_BRANCH | RV_INDIRECT)) != 0)
        flags |= GRAPH_BRANCH;
    if ((in->events & (PROBE_ICACHE_MISS | PROBE_ITLB_MISS)) != 0)
        flags |= GRAPH_FETCH_MISS;
    if (accesses && graph_window_misses(in))
        flags |= GRAPH_DATA_MISS;
    if (!accesses && (insn->flags & RV_SERIAL) == 0 && latency > 1)
        flags |= GRAPH_IS_LONG;
    if ((insn->flags & RV_LOAD) == 0 && (insn->flags & RV_STORE) != 0)
        flags |= GRAPH_IS_STORE;
    if (!w->is_piped[insn->unit])
        flags |= GRAPH_OCCUPIES;
    if (insn->unit == RV_UNIT_LOAD && (flags & GRAPH_DATA_MISS) == 0)
        flags |= graph_window_waits(g, in, fetched, latency);
    return (uint16_t)flags;
}

void graph_window_add(struct graph_window *w, const struct probe_insn *in, uint64_t cycle)
{
    static const uint8_t stage[] = {[GRAPH_FETCH] = PROBE_FETCHED,
                                    [GRAPH_MAP] = PROBE_MAPPED,
                                    [GRAPH_ISSUE] = PROBE_ISSUED,
                                    [GRAPH_DONE] = PROBE_READY_TO_RETIRE,
                                    [GRAPH_RETIRE] = PROBE_RETIRED};
    struct graph *g = &w->graph;
    const int64_t number = w->start + g->nodes;
    if (g->nodes == 0)
        w->base = in->stage_cycle[PROBE_FETCHED];
    struct graph_node *node = &g->node[g->nodes];
    *node = (struct graph_node){.pc = in->pc,
                                .queue = w->queue_for[in->insn->unit],
                                .unit = in->insn->unit,
                                .forwarder = GRAPH_NONE,
                                .leader = GRAPH_NONE,
                                .walker = GRAPH_NONE,
                                .older_store = GRAPH_NONE};
    for (unsigned c = 0; c < GRAPH_CAUSES; c++)
        node->question[c] = GRAPH_NONE;
    for (unsigned s = 0; s <= GRAPH_RETIRE; s++)
        node->at[s] = (int32_t)((s == GRAPH_RETIRE ? cycle : in->stage_cycle[stage[s]]) - w->base);
    node->flags = graph_window_flags(w, in, node->at[GRAPH_FETCH]);
    graph_window_take_all(w, node, in->insn, number);
    graph_window_produce(w, node, in->insn, number);
    graph_window_access(w, node, in);
    graph_window_drain(w, node, in, number);
    g->nodes++;
}

/* The index after the removal. */
static int32_t graph_window_shift(int32_t index, int32_t nodes) { return index >= nodes ? index - nodes : GRAPH_NONE; }

void graph_window_remove(struct graph_window *w, int32_t nodes)
{
    struct graph *g = &w->graph;
    g->nodes -= nodes;
    w->start += nodes;
    memmove(g->node, g->node + nodes, (size_t)g->nodes * sizeof *g->node);
    memmove(w->access, w->access + nodes, (size_t)g->nodes * sizeof *w->access);
    const int32_t base = g->nodes > 0 ? g->node[0].at[GRAPH_FETCH] : 0;
    w->base += (uint64_t)base;
    for (int32_t n = 0; n < g->nodes; n++) {
        struct graph_node *node = &g->node[n];
        for (unsigned s = 0; s < GRAPH_STAGES; s++)
            node->at[s] -= base;
        for (unsigned k = 0; k < GRAPH_PRODUCERS; k++)
            node->producer[k] = graph_window_shift(node->producer[k], nodes);
        for (unsigned r = 0; r < GRAPH_RESOURCES; r++)
            node->freed_by[r] = graph_window_shift(node->freed_by[r], nodes);
        node->forwarder = graph_window_shift(node->forwarder, nodes);
        node->leader = graph_window_shift(node->leader, nodes);
        node->walker = graph_window_shift(node->walker, nodes);
        node->older_store = graph_window_shift(node->older_store, nodes);
    }
}

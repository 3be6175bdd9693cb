/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of dependences of consecutive retired instructions, and what it says of the removal of a cause of delay
 * (Fields, Bodik, Hill and Newburn: "Using Interaction Costs for Microarchitectural Bottleneck Analysis", MICRO 2003).
 *
 * A node is an instruction's passage of a stage. Its cycle is the latest of those that the edges to it give, and a
 * rest: cycles that no edge explains, such as a conflict for a unit. The rests are those of the run, so the graph has
 * the run's cycles. Without a cause some edges are shorter or absent, and the cycles of the nodes behind it follow from
 * edges and rests. The edges:
 *
 *   fetch    one packet in a cycle; behind the resolution of a misprediction, or the retirement of an instruction that
 *            flushes; after the rename that frees the fetch buffer; after the retirement that frees the fetch target
 *            queue
 *   map      frontend_cycles behind fetch, in order, decode_width in a cycle; after the retirement that frees a place
 *            in the ROB, the load queue, or a register; after the drain that frees one in the store queue; after the
 *            issue that frees a place in the issue queue; after the resolution that frees a branch tag; alone for
 *            instructions that must be
 *   issue    in a cycle behind map; after the completion of the producers of its operands, and of the older instruction
 *            for whose unit, which has no pipeline, it has waited
 *   done     the instruction's latency behind issue; for a load that is forwarded, after the store has its datum, too
 *   retire   in a cycle behind done, in order, commit_width in a cycle
 *   drain    of a store: it leaves the store queue behind its retirement, in order
 *
 * Simplifications: the cycle of a drain is known only where another store waits for the place; a wait for a younger
 * instruction on a unit without a pipeline is a rest, which becomes shorter if that instruction does; other conflicts
 * for units, ports, MSHRs and DRAM are part of rests and latencies, so they remain; wrong paths have no nodes.
 */
#ifndef CORE_MODEL_PROF_GRAPH_GRAPH_H
#define CORE_MODEL_PROF_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct core_config;

enum graph_stage { GRAPH_FETCH, GRAPH_MAP, GRAPH_ISSUE, GRAPH_DONE, GRAPH_RETIRE, GRAPH_DRAIN, GRAPH_STAGES };

/* Resources with places that are taken in order, and freed when the instruction that holds them retires. */
enum graph_resource {
    GRAPH_LOADS,
    GRAPH_STORES,
    GRAPH_INT_REGISTERS,
    GRAPH_FP_REGISTERS,
    GRAPH_PACKETS,
    GRAPH_RESOURCES
};

enum graph_flag {
    GRAPH_BEGINS_PACKET = 1 << 0,
    GRAPH_MISPREDICTED = 1 << 1, /* the next instruction is fetched after its resolution */
    GRAPH_FLUSHES = 1 << 2,      /* ... after its retirement, as behind one with the next flag */
    GRAPH_ALONE = 1 << 3,        /* nothing else is in the ROB with it */
    GRAPH_BRANCH = 1 << 4,       /* it holds a branch tag until it is resolved */
    GRAPH_FETCH_MISS = 1 << 5,   /* its packet waited for the I-cache or I-TLB */
    GRAPH_DATA_MISS = 1 << 6,    /* its access missed the L1 data cache or TLB */
    GRAPH_IS_LONG = 1 << 7,      /* neither a load nor a store, with more than a cycle of latency */
    GRAPH_IS_STORE = 1 << 8,
    GRAPH_OCCUPIES = 1 << 9,  /* its unit has no pipeline */
    GRAPH_WAITS = 1 << 10,    /* a load that hits, and takes longer than a hit: it waits for an older store */
    GRAPH_REPLAYED = 1 << 11, /* a load that is fetched again after it had overtaken a store */
    GRAPH_STAYS = 1 << 12     /* it cannot but be alone */
};

/* Causes of delay; their sets of core-model/ideal.def are in graph.c. */
enum graph_cause {
    GRAPH_CAUSE_BRANCH,
    GRAPH_CAUSE_LOAD,
    GRAPH_CAUSE_TLB,
    GRAPH_CAUSE_FORWARD,
    GRAPH_CAUSE_LATENCY,
    GRAPH_CAUSE_FLUSH,
    GRAPH_CAUSE_FETCH,
    GRAPH_CAUSES
};

enum { GRAPH_PRODUCERS = 3, GRAPH_CONFLICTS = 4, GRAPH_NONE = -1, GRAPH_QUEUES = 3 };

/* An instruction. Indices are of the window's nodes; GRAPH_NONE: none, or before the window. */
struct graph_node {
    uint64_t pc;
    int32_t at[GRAPH_STAGES];   /* cycle of the run, from a common one on */
    int32_t rest[GRAPH_STAGES]; /* cycles that no edge explains; may be negative */
    int32_t producer[GRAPH_PRODUCERS];
    int32_t freed_by[GRAPH_RESOURCES]; /* the instruction whose place it takes */
    int32_t forwarder;                 /* the store that has the load's datum, or that the load waits for */
    int32_t leader;                    /* the load whose miss fetches the line that this load or store needs, too */
    int32_t walker;      /* the access whose TLB miss fetches the translation that is all that this one lacks, too */
    int32_t older_store; /* of a store */
    int32_t occupant;    /* the older instruction for whose unit it has waited */
    /* Cycles of the rest of issue in which another instruction occupies the unit; 0: no more. */
    struct graph_wait {
        int32_t node, cycles;
    } wait[GRAPH_CONFLICTS];
    int32_t question[GRAPH_CAUSES]; /* numbers; GRAPH_NONE: none */
    uint16_t flags;                 /* enum graph_flag */
    uint8_t queue;                  /* issue queue */
    uint8_t unit;                   /* enum rv_unit */
    bool is_asked;                  /* it has questions */
};

/* The places of a resource that are freed in any order: the latest cycles in which one was, in rising order, with the
 * nodes that freed it. */
struct graph_places {
    unsigned size, used;
    struct graph_freed {
        int32_t at, node;
    } * freed;
};

struct graph {
    unsigned fetch_buffer, frontend_cycles, redirect_cycles, decode_width, commit_width, rob_entries;
    unsigned place_count[GRAPH_RESOURCES];
    int32_t hit_cycles, forward_cycles; /* a load's latency if it hits; if an older store has its datum */
    int32_t context;                    /* nodes before a question's first instruction that its answer depends on */
    int32_t tail;                       /* nodes behind its last instruction that its answer depends on */
    struct graph_node *node;
    int32_t nodes, capacity;
    int32_t (*at)[GRAPH_STAGES];   /* of the nodes, in an answer */
    int32_t (*late)[GRAPH_STAGES]; /* of the nodes: the latest cycle at which the last one retires in time */
    struct graph_places queue[GRAPH_QUEUES], branches;
};

/* A graph with room for `window` nodes, and those before and behind them, of a core. */
void graph_init(struct graph *g, const struct core_config *cfg, int32_t window);
void graph_fini(struct graph *g);

/* Computes the rests of all nodes. */
void graph_explain(struct graph *g);

/* What the run gains without the causes that have the numbers from `first` to `last`: cycles by which the last node
 * retires earlier, or a node `tail` behind `end`. The nodes with these numbers are in [begin, end). */
int32_t graph_answer(struct graph *g, int32_t first, int32_t last, int32_t begin, int32_t end);

/* Finds the latest cycles `late` of all nodes, of the run with all its causes, after graph_explain. A stage's slack is
 * what it may be later, and all that follows from it with it, while the last node retires in the same cycle. Places
 * that become free in any order keep their order, so a slack may be too short where a queue or the branch tags are
 * full. */
void graph_find_slack(struct graph *g);
static inline int32_t graph_slack(const struct graph *g, int32_t n, enum graph_stage stage)
{
    return g->late[n][stage] - g->node[n].at[stage];
}

/* The cycles by which the cause delays the node, in the run: until it is complete or, of a branch or an instruction
 * that flushes or is alone, until the next one is fetched. */
int32_t graph_delay(const struct graph *g, int32_t n, enum graph_cause cause);
/* The stage of the node that the cause delays. */
enum graph_stage graph_delayed(const struct graph *g, int32_t n, enum graph_cause cause);

/* Forgets the places that nodes have freed. */
void graph_empty_places(struct graph *g);
/* The node frees a place in this cycle. False: as many places became free later. */
bool graph_places_free(struct graph_places *p, int32_t cycle, int32_t node);

/* The cause's set of enum ideal_cause. */
extern const uint32_t graph_ideal_causes[GRAPH_CAUSES];

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nodes of a window of retired instructions, from what the probe port says of each. */
#ifndef CORE_MODEL_PROF_GRAPH_GRAPH_WINDOW_H
#define CORE_MODEL_PROF_GRAPH_GRAPH_WINDOW_H

#include "core-model/core.h"
#include "core-model/probe/probe.h"
#include "core-model/prof/graph/graph.h"

enum { GRAPH_REGISTERS = 64 };

/* Nodes have numbers from the first one on, those in the graph from `start` on. */
struct graph_window {
    struct graph graph;
    int64_t start;
    uint64_t base;                          /* cycle 0 of the nodes */
    int64_t writer[GRAPH_REGISTERS], store; /* GRAPH_NONE: none */
    /* The last holders of each resource's places, as a ring of place_count. */
    int64_t *holder[GRAPH_RESOURCES];
    unsigned held[GRAPH_RESOURCES];
    uint8_t queue_for[RV_UNIT_COUNT];
    bool is_piped[RV_UNIT_COUNT];
    unsigned line_bits;
    /* The accesses of the nodes. */
    struct graph_access {
        uint64_t address, missed_line, missed_page; /* 0: none */
        uint8_t bytes;
        bool is_store;
    } * access;
};

/* The stages whose cycles graph_window_add reads. */
enum {
    GRAPH_WINDOW_CYCLES = 1 << PROBE_FETCHED | 1 << PROBE_MAPPED | 1 << PROBE_ISSUED | 1 << PROBE_READY_TO_RETIRE |
                          1 << PROBE_RETIRED
};

void graph_window_init(struct graph_window *w, const struct core_config *cfg, int32_t size);
void graph_window_fini(struct graph_window *w);
/* The next instruction begins a window: it has no predecessors. */
void graph_window_begin(struct graph_window *w);
static inline bool graph_window_is_full(const struct graph_window *w) { return w->graph.nodes == w->graph.capacity; }
/* Adds an instruction that has retired in `cycle`. The window is not full. */
void graph_window_add(struct graph_window *w, const struct probe_insn *in, uint64_t cycle);
/* Removes the oldest nodes. */
void graph_window_remove(struct graph_window *w, int32_t nodes);

#endif

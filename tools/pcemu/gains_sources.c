/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/gains_sources.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"
#include "host/analysis/code_graph.h"

struct gains_sources {
    const struct time_profile *profile;
    struct code_graph *graph; /* of the instructions executed */
};

struct gains_sources *gains_sources_new(const struct code *code, const struct time_profile *p)
{
    struct gains_sources *s = xcalloc(1, sizeof *s);
    uint64_t start = 0, end = 0; /* of instructions that follow each other */
    s->profile = p;
    s->graph = code_graph_new(code);
    for (size_t n = 0; n < p->rows && code->describe != NULL; n++) {
        struct code_insn in;
        const uint64_t pc = p->row[n].pc;
        if (pc == 0 || !code->describe(code->ctx, pc, &in))
            continue;
        if (pc != end) {
            if (start != end)
                code_graph_add_range(s->graph, start, end);
            start = pc;
        }
        end = pc + in.length_bytes;
    }
    if (start != end)
        code_graph_add_range(s->graph, start, end);
    code_graph_build(s->graph);
    return s;
}

void gains_sources_free(struct gains_sources *s)
{
    if (s == NULL)
        return;
    code_graph_free(s->graph);
    free(s);
}

size_t gains_sources_find(const struct gains_sources *s, const struct time_row *stalled,
                          const struct time_row *source[GAINS_SOURCES_MOST])
{
    uint64_t pc[GAINS_SOURCES_MOST];
    const struct time_profile *p = s->profile;
    size_t found = 0;
    const size_t count = code_graph_writers(s->graph, stalled->pc, pc, GAINS_SOURCES_MOST);
    for (size_t n = 0; n < count; n++) {
        size_t at = 0, end = p->rows;
        SEARCH(at, end, k, p->row[k].pc < pc[n]);
        if (at < p->rows && p->row[at].pc == pc[n])
            source[found++] = &p->row[at];
    }
    return found;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/log/recent.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct gone {
    uint64_t seq, pc, stage_cycle[PROBE_STAGE_COUNT];
    uint32_t events;
    uint8_t cause;
    char text[48]; /* a copy, because the decoded instruction may be discarded */
};

struct recent {
    struct observer base;
    uint64_t count;
    struct gone gone[RECENT_MOST];
};

static void leaves(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct recent *r = ctx;
    struct gone *g = &r->gone[r->count++ % RECENT_MOST];
    (void)cycle;
    *g = (struct gone){.seq = in->seq, .pc = in->pc, .events = in->events, .cause = in->cause};
    memcpy(g->stage_cycle, in->stage_cycle, sizeof g->stage_cycle);
    (void)rv_print_flat(g->text, sizeof g->text, in->insn, in->pc);
}

const struct observer_kind observer_recent = {
    .name = "recent",
    .help = "the instructions that have left the pipeline last, for the debugger",
};

struct recent *recent_new(void)
{
    struct recent *r = xcalloc(1, sizeof *r);
    r->base.kind = &observer_recent;
    r->base.probe.ctx = r;
    r->base.probe.cycles = PROBE_ALL_CYCLES;
    r->base.probe.stage[PROBE_RETIRED] = r->base.probe.stage[PROBE_SQUASHED] = leaves;
    return r;
}

struct observer *recent_observer(struct recent *r) { return &r->base; }

static void print_one(const struct gone *g, FILE *out)
{
    fprintf(out, "  #%-10" PRIu64 " 0x%-10" PRIx64 " %-30s", g->seq, g->pc, g->text);
    for (int s = 0; s < PROBE_STAGE_COUNT; s++)
        if (g->stage_cycle[s] != 0)
            fprintf(out, " %s %" PRIu64, probe_stage_names[s], g->stage_cycle[s]);
    for (int e = 0; e < PROBE_EVENT_COUNT; e++)
        if (g->events >> e & 1)
            fprintf(out, " [%s]", probe_event_names[e]);
    fputc('\n', out);
}

void recent_print(const struct recent *r, FILE *out, uint64_t count)
{
    uint64_t have = r->count < RECENT_MOST ? r->count : RECENT_MOST;
    if (count > have)
        count = have;
    for (uint64_t i = r->count - count; i < r->count; i++)
        print_one(&r->gone[i % RECENT_MOST], out);
    if (have == 0)
        fputs("no instruction has left the pipeline yet\n", out);
}

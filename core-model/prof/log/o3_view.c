/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/log/o3_view.h"

#include <inttypes.h>
#include <stdlib.h>

struct o3_view {
    struct observer base;
    FILE *out;
    struct window *window;
};

/* First cycles of the stages, 0: not reached. */
struct o3_view_stages {
    uint64_t decode, rename, dispatch, issue, complete, retire;
};

static uint64_t o3_view_least(uint64_t x, uint64_t y) { return x < y ? x : y; }

/* The stages of an instruction. A retired one that skips a stage is in it when the next one begins. */
static struct o3_view_stages o3_view_stages_of(const struct probe_insn *in, bool is_retired)
{
    const uint64_t fetched = in->stage_cycle[PROBE_FETCHED], mapped = in->stage_cycle[PROBE_MAPPED];
    struct o3_view_stages s = {.rename = mapped,
                               .issue = in->stage_cycle[PROBE_ISSUED],
                               .complete = in->stage_cycle[PROBE_READY_TO_RETIRE],
                               .retire = is_retired ? in->stage_cycle[PROBE_RETIRED] : 0};
    if (s.complete == 0)
        s.complete = s.retire;
    if (s.issue == 0)
        s.issue = s.complete;
    if (s.rename == 0)
        s.rename = s.issue;
    if (s.rename != 0) {
        s.decode = s.rename > fetched ? s.rename - 1 : fetched;
        s.dispatch = s.issue != 0 ? o3_view_least(s.rename + 1, s.issue) : s.rename + 1;
    }
    return s;
}

static void o3_view_write(const struct o3_view *v, const struct probe_insn *in, bool is_retired)
{
    enum { TICKS = 1000 };
    const struct o3_view_stages s = o3_view_stages_of(in, is_retired);
    const struct {
        const char *name;
        uint64_t cycle;
    } stage[] = {{"decode", s.decode}, {"rename", s.rename},     {"dispatch", s.dispatch},
                 {"issue", s.issue},   {"complete", s.complete}, {"retire", s.retire}};
    char text[96];
    rv_print_flat(text, sizeof text, in->insn, in->pc);
    fprintf(v->out, "O3PipeView:fetch:%" PRIu64 ":0x%08" PRIx64 ":0:%" PRIu64 ":  %s\n",
            in->stage_cycle[PROBE_FETCHED] * TICKS, in->pc, in->seq, text);
    for (size_t n = 0; n < sizeof stage / sizeof stage[0]; n++)
        fprintf(v->out, "O3PipeView:%s:%" PRIu64 "%s\n", stage[n].name, stage[n].cycle * TICKS,
                n + 1 == sizeof stage / sizeof stage[0] ? ":store:0" : "");
}

static void o3_view_fetched(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct o3_view *v = ctx;
    (void)window_takes(v->window, in, cycle);
}

static void o3_view_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct o3_view *v = ctx;
    (void)cycle;
    window_retires(v->window);
    if (window_has(v->window, in->seq))
        o3_view_write(v, in, true);
}

static void o3_view_squashed(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct o3_view *v = ctx;
    (void)cycle;
    if (window_has(v->window, in->seq))
        o3_view_write(v, in, false);
}

const struct observer_kind observer_o3_view = {
    .name = "o3-view",
    .help = "the pipeline as a picture, for gem5's viewer and Konata",
};

struct observer *o3_view_new(FILE *out, struct window *window)
{
    struct o3_view *v = xcalloc(1, sizeof *v);
    struct probe_listener *o = &v->base.probe;
    v->base.kind = &observer_o3_view;
    v->out = out;
    v->window = window;
    o->ctx = v;
    o->cycles = 1u << PROBE_FETCHED | 1u << PROBE_MAPPED | 1u << PROBE_ISSUED | 1u << PROBE_READY_TO_RETIRE |
                1u << PROBE_RETIRED;
    o->stage[PROBE_FETCHED] = o3_view_fetched;
    o->stage[PROBE_RETIRED] = o3_view_retired;
    o->stage[PROBE_SQUASHED] = o3_view_squashed;
    return &v->base;
}

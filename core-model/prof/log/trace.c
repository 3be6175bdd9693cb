/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The event trace. Each line is written by one call, because standard error is unbuffered. Entry point: trace_new. */
#include "core-model/prof/log/trace.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

struct trace {
    struct observer base;
    struct trace_config config;
    uint64_t in_flight; /* number of instructions of the window in flight */
    size_t length;
    char line[1024];
};

static void trace_say(struct trace *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void trace_say(struct trace *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(t->line + t->length, sizeof t->line - t->length, fmt, args);
    va_end(args);
    t->length += (size_t)n;
    if (t->length > sizeof t->line - 2)
        BUG("a line of %zu characters", t->length);
}

static void trace_end_line(struct trace *t)
{
    while (t->line[t->length - 1] == ' ' || t->line[t->length - 1] == '|')
        t->length--;
    t->line[t->length++] = '\n';
    fwrite(t->line, 1, t->length, t->config.out);
    t->length = 0;
}

/* Begins a line with cycle, stage and instruction. */
static void trace_begin_line(struct trace *t, const struct probe_insn *in, enum probe_stage stage, uint64_t cycle)
{
    char text[96];
    rv_print_flat(text, sizeof text, in->insn, in->pc);
    trace_say(t, "%8" PRIu64 " %-6s %6" PRIu64 ": %" PRIx64 " %-28s | ", cycle, probe_stage_names[stage], in->seq,
              in->pc, text);
}

static void say_events(struct trace *t, uint32_t events)
{
    for (unsigned e = 0; e < PROBE_EVENT_COUNT; e++)
        if (events >> e & 1)
            trace_say(t, "%s ", probe_event_names[e]);
}

static bool trace_faults(const struct rv_outcome *o) { return o->trap != RV_TRAP_NONE && o->trap != RV_TRAP_ECALL; }

static void say_operands(struct trace *t, const struct probe_insn *in)
{
    for (int n = 0; n < 2; n++)
        if (in->insn->src[n] != 0)
            trace_say(t, "%s=0x%" PRIx64 " ", rv_reg_name(in->insn->src[n]), in->outcome->operand[n]);
}

/* Appends operands, result, memory access, branch direction and events of a retired instruction. */
static void say_retired(struct trace *t, const struct probe_insn *in)
{
    const struct rv_outcome *o = in->outcome;
    say_operands(t, in);
    if (in->insn->dst != 0)
        trace_say(t, "-> %s=0x%" PRIx64 " ", rv_reg_name(in->insn->dst), o->value);
    if (o->mem_bytes != 0)
        trace_say(t, "%s %u byte%s at 0x%" PRIx64 " ", o->wrote_mem ? "writes" : "reads", o->mem_bytes,
                  o->mem_bytes == 1 ? "" : "s", o->ea);
    if (o->taken)
        trace_say(t, "to 0x%" PRIx64 " ", o->next_pc);
    say_events(t, in->events);
}

static void say_load(struct trace *t, const struct probe_insn *in)
{
    const struct rv_outcome *o = in->outcome;
    bool memory = in->events & (t->config.has_llc ? PROBE_LLC_MISS : PROBE_L2_MISS);
    const char *from = in->events & PROBE_FORWARDED     ? "the store queue"
                       : memory                         ? "memory"
                       : in->events & PROBE_L2_MISS     ? "the last-level cache"
                       : in->events & PROBE_DCACHE_MISS ? "L2"
                                                        : "L1";
    if (o->mem_bytes != 0)
        trace_say(t, "%u byte%s at 0x%" PRIx64 " from %s", o->mem_bytes, o->mem_bytes == 1 ? "" : "s", o->ea, from);
}

static void trace_show(struct trace *t, const struct probe_insn *in, enum probe_stage stage, uint64_t cycle)
{
    if (!(t->config.kinds & 1u << stage) || !window_has(t->config.window, in->seq))
        return;
    trace_begin_line(t, in, stage, cycle);
    if (stage == PROBE_FETCHED)
        say_events(t, in->events);
    if (stage == PROBE_FETCHED && trace_faults(in->outcome))
        trace_say(t, "faults");
    if (stage == PROBE_LOAD_COMPLETED)
        say_load(t, in);
    if (stage == PROBE_RETIRED)
        say_retired(t, in);
    if (stage == PROBE_SQUASHED)
        trace_say(t, "%s", probe_cause_names[in->cause]);
    trace_end_line(t);
}

/* One callback for each stage, from the table. */
#define STAGE(sym, name, meaning)                                                  \
    static void show_##sym(void *ctx, const struct probe_insn *in, uint64_t cycle) \
    {                                                                              \
        trace_show(ctx, in, PROBE_##sym, cycle);                                   \
    }
#include "core-model/probe/probe.def"

static void trace_fetched(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct trace *t = ctx;
    t->in_flight += window_takes(t->config.window, in, cycle);
    show_FETCHED(t, in, cycle);
}

static void trace_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct trace *t = ctx;
    show_RETIRED(t, in, cycle);
    window_retires(t->config.window);
    t->in_flight -= window_has(t->config.window, in->seq);
}

static void trace_squashed(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct trace *t = ctx;
    show_SQUASHED(t, in, cycle);
    t->in_flight -= window_has(t->config.window, in->seq);
}

static bool shows_token(const struct trace *t, const struct probe_token *k)
{
    const struct window *w = t->config.window;
    switch (w->kind) {
    case WINDOW_ALL:
        return true;
    case WINDOW_CYCLES:
        return k->cycle < w->to && k->cycle + k->repeat > w->from;
    default:
        return w->open || t->in_flight > 0;
    }
}

static void trace_token(void *ctx, const struct probe_token *k)
{
    struct trace *t = ctx;
    if (!shows_token(t, k))
        return;
    trace_say(t, "%8" PRIu64 " commit x%" PRIu64, k->cycle, k->repeat);
    for (unsigned n = 0; n < k->banks; n++) {
        unsigned b = (k->head + n) % k->banks;
        if (k->bank[b].valid)
            trace_say(t, " %" PRIx64 "%s%s%s", k->bank[b].pc, k->bank[b].commits ? "+" : "",
                      k->bank[b].mispredicted ? "!" : "", k->bank[b].flushes ? "~" : "");
    }
    if (k->rob_empty)
        trace_say(t, " empty");
    if (k->handler)
        trace_say(t, " handler");
    if (k->exception)
        trace_say(t, " %s at %" PRIx64, k->ordering ? "ordering" : "exception", k->exception_pc);
    if (k->blocked)
        trace_say(t, " blocked %" PRIx64, k->dispatch_pc);
    if (k->dispatching)
        trace_say(t, " dispatching %" PRIx64, k->dispatch_pc);
    trace_end_line(t);
}

const struct observer_kind observer_trace = {
    .name = "trace",
    .help = "a line for each event of the probe port",
};

struct observer *trace_new(const struct trace_config *config)
{
    struct trace *t = xcalloc(1, sizeof *t);
    struct probe_listener *o = &t->base.probe;
    t->base.kind = &observer_trace;
    t->config = *config;
    o->ctx = t;
    o->values = true;
#define STAGE(sym, name, meaning)            \
    if (t->config.kinds & 1u << PROBE_##sym) \
        o->stage[PROBE_##sym] = show_##sym;
#include "core-model/probe/probe.def"
    if (t->config.kinds & TRACE_COMMIT)
        o->token = trace_token;
    o->stage[PROBE_FETCHED] = trace_fetched;
    o->stage[PROBE_RETIRED] = trace_retired;
    o->stage[PROBE_SQUASHED] = trace_squashed;
    return &t->base;
}

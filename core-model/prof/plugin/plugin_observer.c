/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The observer of a plug-in: passes the probe port's calls on, in the structures of the plug-in interface. */
#include "core-model/prof/plugin/plugin_observer.h"

#include <stdlib.h>

#include "contract/opclass.h"
#include "contract/report.h"
#include "core-model/prof/plugin/plugin_results.h"

/* The interface has numbers of its own, which stay. Where a row of these tables moves, this file translates. */
#define STAGE(sym, name, meaning) \
    _Static_assert((int)PCEMU_STAGE_##sym == (int)PROBE_##sym, "stages of the plug-in interface");
#define EVENT(sym, name, meaning) \
    _Static_assert((int)PCEMU_EVENT_##sym == (int)PROBE_##sym, "events of the plug-in interface");
#define CAUSE(sym, name, meaning) \
    _Static_assert((int)PCEMU_CAUSE_##sym == (int)PROBE_CAUSE_##sym, "causes of the plug-in interface");
#include "core-model/probe/probe.def"
#define OPCLASS(sym, name, meaning) \
    _Static_assert((int)PCEMU_CLASS_##sym == (int)OPCLASS_##sym, "classes of the plug-in interface");
#include "contract/opclass.def"
_Static_assert((int)PCEMU_STAGES == (int)PROBE_STAGE_COUNT, "stages of the plug-in interface");

struct plugin_observer {
    struct observer base;
    struct plugin_state of;
    const struct pcemu_observer *functions;
    int hart; /* of several; else negative */
};

static struct pcemu_insn plugin_insn(const struct probe_insn *in)
{
    const struct rv_outcome *o = in->outcome;
    struct pcemu_insn to = {.version = PCEMU_ABI,
                            .size = sizeof to,
                            .number = in->seq,
                            .pc = in->pc,
                            .next_pc = o->next_pc,
                            .address = o->ea,
                            .value = o->value,
                            .history = in->history,
                            .bytes = o->mem_bytes,
                            .length = in->insn->length_bytes,
                            .opclass = in->insn->opclass,
                            .events = in->events,
                            .writes = o->wrote_mem != 0,
                            .taken = o->taken != 0,
                            .cause = in->cause};
    for (int s = 0; s < PCEMU_STAGES; s++)
        to.cycle[s] = in->stage_cycle[s];
    return to;
}

static void plugin_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    const struct plugin_observer *o = ctx;
    const struct pcemu_insn insn = plugin_insn(in);
    (void)cycle;
    plugin_enter(o->of.plugin, "retired");
    o->functions->retired(o->of.state, &insn);
    plugin_leave();
}

static void plugin_squashed(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    const struct plugin_observer *o = ctx;
    const struct pcemu_insn insn = plugin_insn(in);
    (void)cycle;
    plugin_enter(o->of.plugin, "squashed");
    o->functions->squashed(o->of.state, &insn);
    plugin_leave();
}

static void plugin_token(void *ctx, const struct probe_token *t)
{
    const struct plugin_observer *o = ctx;
    const bool has_head = !t->rob_empty && t->bank[t->head].valid;
    const struct pcemu_cycles c = {.version = PCEMU_ABI,
                                   .size = sizeof c,
                                   .cycle = t->cycle,
                                   .cycles = t->repeat,
                                   .committing = t->committing,
                                   .rob_empty = t->rob_empty,
                                   .exception = t->exception,
                                   .handler = t->handler,
                                   .pc = has_head ? t->bank[t->head].pc : 0};
    plugin_enter(o->of.plugin, "cycles");
    o->functions->cycles(o->of.state, &c);
    plugin_leave();
}

struct report *plugin_report_head(struct report *r, const struct plugin *p, int hart)
{
    struct report *e = report_element(report_list(r, "plugins"), p->symbol->name);
    report_text(e, "name", "plug-in", p->symbol->name);
    report_remark(e, "{kind}, {text}");
    report_text(e, "kind", NULL, plugin_kind_name(p));
    report_text(e, "text", NULL, p->text);
    report_text(e, "sha1", "  SHA-1", p->hash);
    if (hart >= 0)
        report_count(e, "hart", "  hart", (uint64_t)hart, NULL);
    return e;
}

static void plugin_report(const struct observer *base, struct report *r)
{
    const struct plugin_observer *o = (const struct plugin_observer *)base;
    struct report *e = plugin_report_head(r, o->of.plugin, o->hart);
    if (o->functions->report == NULL)
        return;
    struct plugin_results *results = plugin_results_new(o->of.plugin, report_section(e, "results"));
    plugin_enter(o->of.plugin, "report");
    o->functions->report(o->of.state, &plugin_host, (struct pcemu_report *)results);
    plugin_leave();
    plugin_results_end(results);
}

static void plugin_release(struct observer *base)
{
    struct plugin_observer *o = (struct plugin_observer *)base;
    plugin_state_fini(&o->of);
    free(o);
}

const struct observer_kind observer_plugin = {
    .name = "plugin", .report = plugin_report, .of_each_hart = true, .release = plugin_release};

enum status plugin_observer_new(struct observer **out, struct plugin *plugin, const struct plugin_place *at,
                                struct errmsg *err)
{
    struct plugin_observer *o = xcalloc(1, sizeof *o);
    const struct pcemu_observer *f = o->functions = plugin->symbol->functions;
    o->base.kind = &observer_plugin;
    o->base.probe = (struct probe_listener){.ctx = o, .values = true, .cycles = f->stages};
    o->hart = at->harts > 1 ? (int)at->hart : -1;
    if (f->retired != NULL)
        o->base.probe.stage[PROBE_RETIRED] = plugin_retired;
    if (f->squashed != NULL)
        o->base.probe.stage[PROBE_SQUASHED] = plugin_squashed;
    if (f->cycles != NULL) {
        o->base.probe.token = plugin_token;
        o->base.probe.token_outline = true;
    }
    const enum status st = plugin_state_init(&o->of, plugin, at, err);
    if (st != ST_OK)
        free(o);
    else
        *out = &o->base;
    return st;
}

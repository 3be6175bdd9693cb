/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/pcemu/collecting.h"

#include "host/collect/collect_report.h"

enum { HART = 0, HARTS = 1 };

static struct collect_config configuration(const struct machine_config *m)
{
    struct host_cost cost = machine_host_cost(m);
    return (struct collect_config){
#define COLLECT(key, def, min, max, unit, help, source) .key = m->config.host_##key,
#include "isa/contract/collect.def"
#undef COLLECT
        .entry = cost.entry,
        .exit = cost.exit,
        .free = cost.free != 0,
    };
}

static uint64_t handle(void *ctx, unsigned counter, enum count_kind event, uint64_t pc, uint64_t cycle)
{
    struct collecting *c = ctx;
    return collector_sample(c->collector, HART, guest_pid(&c->target->guest), pc, counter_sample_event(counter, event),
                            cycle);
}

void collecting_start(struct collecting *c, const struct machine_config *m, const struct target *t,
                      struct observers *observers)
{
    if (!observers_collect(observers))
        return;
    struct collect_config config = configuration(m);
    c->target = t;
    c->daemon = daemon_new();
    c->collector = collector_new(&config, HARTS, daemon_add, c->daemon);
    c->handler = (struct counter_handler){.ctx = c, .handle = handle, .free = config.free};
    observers_set_handler(observers, &c->handler);
}

void collecting_end(struct collecting *c)
{
    if (c->collector != NULL)
        collector_finish(c->collector);
}

void collecting_report(const struct collecting *c, uint64_t cycles, struct report *r)
{
    if (c->collector != NULL)
        collect_report(c->collector, HARTS, cycles, r);
}

const struct sample_entry *collecting_samples(const struct collecting *c, size_t *count)
{
    *count = 0;
    return c->daemon != NULL ? daemon_samples(c->daemon, count) : NULL;
}

void collecting_release(struct collecting *c)
{
    collector_free(c->collector);
    daemon_free(c->daemon);
}

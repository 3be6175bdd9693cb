/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/collecting.h"

#include "host/collect/collect_report.h"

static struct collect_config configuration(const struct machine_config *m)
{
    struct host_cost cost = machine_host_cost(m);
    return (struct collect_config){
#define COLLECT(key, def, min, max, unit, help, source) .key = m->config.host_##key,
#include "contract/collect.def"
        .entry = cost.entry,
        .exit = cost.exit,
        .free = cost.free != 0,
    };
}

static uint64_t collecting_handle(void *ctx, unsigned counter, enum count_kind event, uint64_t pc, uint64_t cycle)
{
    const struct collecting_hart *h = ctx;
    const struct collecting *c = h->of;
    return collector_sample(c->collector, h->number, guest_pid(&c->target->guest), pc,
                            counter_sample_event(counter, event), cycle);
}

void collecting_start(struct collecting *c, const struct machine_config *m, const struct target *t,
                      struct observers *observers)
{
    if (!observers_collect(observers))
        return;
    struct collect_config config = configuration(m);
    c->target = t;
    c->daemon = daemon_new();
    c->harts = t->harts != NULL ? harts_count(t->harts) : 1;
    c->collector = collector_new(&config, c->harts, daemon_add, c->daemon);
    for (unsigned n = 0; n < c->harts; n++) {
        struct collecting_hart *h = &c->hart[n];
        h->of = c;
        h->number = n;
        h->handler = (struct counter_handler){.ctx = h, .handle = collecting_handle, .free = config.free};
    }
    observers_set_handler(observers, &c->hart[0].handler);
}

void collecting_add_hart(struct collecting *c, unsigned hart, struct observers *observers)
{
    if (c->collector != NULL)
        observers_set_handler(observers, &c->hart[hart].handler);
}

void collecting_end(struct collecting *c)
{
    if (c->collector != NULL)
        collector_finish(c->collector);
}

void collecting_report(const struct collecting *c, uint64_t cycles, struct report *r)
{
    if (c->collector != NULL)
        collect_report(c->collector, c->harts, cycles, r);
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

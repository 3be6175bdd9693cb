/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bus wrapper that counts accesses and advances the handler's clock. */
#include "host/driver/bus_counter.h"

#include <stddef.h>

/* An access takes effect at its end. Outside a handler it takes no time. */
static void bus_counter_reach(const struct bus_counter *c)
{
    if (c->clock->running && c->target->advance != NULL)
        c->target->advance(c->target->ctx, c->clock->cycle);
}

static enum status counted_read(void *ctx, uint32_t address, uint64_t *value)
{
    struct bus_counter *c = ctx;
    c->reads++;
    host_clock_read(c->clock);
    bus_counter_reach(c);
    return c->target->read(c->target->ctx, address, value);
}

static enum status counted_write(void *ctx, uint32_t address, uint64_t value)
{
    struct bus_counter *c = ctx;
    c->writes++;
    host_clock_write(c->clock);
    bus_counter_reach(c);
    return c->target->write(c->target->ctx, address, value);
}

void bus_counter_init(struct bus_counter *c, const struct bus *target, struct host_clock *clock)
{
    *c = (struct bus_counter){
        .bus = {.ctx = c, .read = counted_read, .write = counted_write}, .target = target, .clock = clock};
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bus in front of another that counts what passes. */
#include "host/bus_counter.h"

static enum status counted_read(void *ctx, uint32_t address, uint64_t *value)
{
    struct bus_counter *c = ctx;
    c->reads++;
    return c->target->read(c->target->ctx, address, value);
}

static enum status counted_write(void *ctx, uint32_t address, uint64_t value)
{
    struct bus_counter *c = ctx;
    c->writes++;
    return c->target->write(c->target->ctx, address, value);
}

void bus_counter_init(struct bus_counter *c, const struct bus *target)
{
    *c = (struct bus_counter){.bus = {.ctx = c, .read = counted_read, .write = counted_write}, .target = target};
}

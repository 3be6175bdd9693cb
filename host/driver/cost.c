/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time and accounting of the host's work. */
#include "host/driver/cost.h"

#include <stddef.h>

void host_clock_init(struct host_clock *c, const struct host_cost *cost)
{
    *c = (struct host_clock){0};
    if (cost != NULL)
        c->cost = *cost;
}

static void pass(struct host_clock *c, uint64_t cycles, uint64_t *account)
{
    c->charged += cycles;
    if (c->cost.free)
        return;
    c->cycle += cycles;
    *account += cycles;
}

void host_clock_enter(struct host_clock *c, uint64_t raised, uint64_t taken)
{
    c->cycle = taken;
    if (c->stopped)
        return;
    c->running = true;
    c->account.services++;
    c->account.delivery_cycles += taken - raised;
    pass(c, c->cost.entry, &c->account.entry_exit_cycles);
}

uint64_t host_clock_leave(struct host_clock *c)
{
    if (c->running)
        pass(c, c->cost.exit, &c->account.entry_exit_cycles);
    c->running = false;
    return c->cycle;
}

void host_clock_read(struct host_clock *c)
{
    if (!c->running)
        return;
    c->account.reads++;
    pass(c, c->cost.bus_read, &c->account.bus_cycles);
}

void host_clock_write(struct host_clock *c)
{
    if (!c->running)
        return;
    c->account.writes++;
    pass(c, c->cost.bus_write, &c->account.bus_cycles);
}

void host_clock_work(struct host_clock *c, enum host_work kind, uint64_t n)
{
    const uint32_t each[HOST_WORK_KINDS] = {
#define HOST_WORK(sym, key, def, max, help, source) c->cost.key,
#include "contract/host_cost.def"
    };
    if (!c->running)
        return;
    c->account.work[kind] += n;
    pass(c, n * each[kind], &c->account.work_cycles);
}

void host_clock_merge(struct host_clock *c, uint64_t rows, uint64_t used, uint64_t added)
{
    host_clock_work(c, HOST_ROW, rows);
    host_clock_work(c, HOST_UPDATE, used);
    host_clock_work(c, HOST_INSERT, added);
}

uint64_t host_account_cycles(const struct host_account *a)
{
    return a->entry_exit_cycles + a->bus_cycles + a->work_cycles;
}

void host_account_add(struct host_account *a, const struct host_account *other)
{
    a->services += other->services;
    a->reads += other->reads;
    a->writes += other->writes;
    for (int k = 0; k < HOST_WORK_KINDS; k++)
        a->work[k] += other->work[k];
    a->entry_exit_cycles += other->entry_exit_cycles;
    a->bus_cycles += other->bus_cycles;
    a->work_cycles += other->work_cycles;
    a->delivery_cycles += other->delivery_cycles;
}

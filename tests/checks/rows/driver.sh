# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a driver of its own'
steps='file row'
file()
{
    create host/driver/rows_driver.c << 'C'
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A driver that starts its program again at each interrupt, and says how often. */
#include <stdlib.h>

#include "host/driver/driver_ops.h"

struct rows_driver {
    const struct bus *bus;
    unsigned interrupts;
};

static enum status rows_create(void **self, const struct driver_env *env, struct errmsg *err)
{
    struct rows_driver *d = xcalloc(1, sizeof *d);
    (void)err;
    d->bus = env->bus;
    *self = d;
    return ST_OK;
}

static void rows_interrupt(void *self, unsigned word, uint64_t cycle)
{
    struct rows_driver *d = self;
    (void)word, (void)cycle;
    d->interrupts++;
    bus_put(d->bus, BUS_COMMAND, BUS_RESTART);
}

static void rows_finish(void *self, uint64_t cycle)
{
    (void)cycle;
    fprintf(stderr, "rows: %u interrupts\n", ((struct rows_driver *)self)->interrupts);
}

const struct driver_ops rows_driver_ops = {
    .program = "rows",
    .create = rows_create,
    .destroy = free,
    .interrupt = rows_interrupt,
    .finish = rows_finish,
};
C
}
no_file()
{
    named rows_driver_ops
    link tools/pcemu/pcemu_main.o host/driver/rows_driver.o
}
row() { before host/driver/drivers.def '^DRIVER\(generic\)$' << 'E'
DRIVER(rows)
E
}
no_row()
{
    named 'host/driver/drivers.def has no row for rows'
    tables
}
works()
{
    printf '.program rows\n.filter class load\n.entry load a\na: interrupt\n' | pcasm -o rows.pc -
    printf 'load\nload\nload\n' | pcemu --program rows.pc --core samples:- -o report 2> out
    says 'rows: 3 interrupts' out
}

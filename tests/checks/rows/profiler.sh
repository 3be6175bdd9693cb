# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a profiler of time'
steps='file row'
file()
{
    create core-model/prof/time/youngest.c << 'C'
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The youngest instruction committed so far takes the time of each cycle. */
#include "core-model/prof/time/profiler.h"

static void token(void *ctx, const struct probe_token *t)
{
    struct profiler *p = ctx;
    time_map_add(&p->map, t->last_commit, STATE_COMPUTING, t->repeat * TIME_PER_CYCLE);
    p->samples++;
}

static void start(struct profiler *p) { p->base.probe.token = token; }

PROFILER(youngest, "youngest", NULL, start, false, "the youngest instruction committed")
C
}
no_file()
{
    named observer_youngest
    link tools/pcemu/pcemu_main.o core-model/prof/time/youngest.o
}
row() { behind core-model/prof/observers.def '^OBSERVER\(software\)$' << 'E'
OBSERVER(youngest)
E
}
no_row()
{
    named 'core-model/prof/observers.def has no row for youngest'
    tables
}
works()
{
    pcemu --no-program --profile youngest,oracle --format json -o report "$(guest)" > out
    holds 'any(.. | strings; . == "youngest")' report
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/linux/missing.h"

#include <stdio.h>
#include <string.h>

#include "base/fnv.h"
#include "core-model/linux/guest.h"
#include "core-model/linux/path.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/task.h"

/* Not 0. */
static uint64_t missing_hash(const char *path)
{
    const uint64_t hash = fnv_extend(FNV_NONE, path, strlen(path));
    return hash != 0 ? hash : 1;
}

/* The entry of the path, which is claimed if it is free; LINUX_MISSING_MAX: the table is full. */
static unsigned missing_entry(struct linux_missing *m, const char *path)
{
    const uint64_t hash = missing_hash(path);
    for (unsigned n = 0; n < LINUX_MISSING_MAX; n++) {
        uint64_t found = 0;
        if (atomic_compare_exchange_strong(&m->program[n].hash, &found, hash))
            snprintf(m->program[n].path, sizeof m->program[n].path, "%s", path);
        if (found == 0 || found == hash)
            return n;
    }
    return LINUX_MISSING_MAX;
}

void linux_missing_count(struct guest *g, const char *path)
{
    struct linux_missing *m = linux_missing_of(g);
    if (g->names->sysroot == NULL || path[0] != '/')
        return;
    const unsigned n = missing_entry(m, path);
    if (n == LINUX_MISSING_MAX)
        return;
    atomic_fetch_add(&m->program[n].times, 1);
    g->task->missing[n]++;
}

void linux_missing_forget(struct guest *g)
{
    struct linux_missing *m = linux_missing_of(g);
    for (unsigned n = 0; n < LINUX_MISSING_MAX; n++)
        atomic_fetch_sub(&m->program[n].times, g->task->missing[n]);
    memset(g->task->missing, 0, sizeof g->task->missing);
}

const char *guest_missing_program(const struct guest *g, uint64_t *times, unsigned *others)
{
    const struct linux_missing *m = linux_missing_of(g);
    const char *path = NULL;
    *times = 0;
    *others = 0;
    for (unsigned n = 0; n < LINUX_MISSING_MAX; n++) {
        const uint64_t here = m->program[n].times;
        if (here == 0)
            continue;
        if (path != NULL)
            ++*others;
        if (here > *times) {
            *times = here;
            path = m->program[n].path;
        }
    }
    return path;
}

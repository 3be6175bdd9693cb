/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/unit_store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/order.h"

static const char unit_prefix[] = "unit.";

char *unit_store_place(const char *path, uint64_t first)
{
    return xasprintf("%s:%s%" PRIu64, path, unit_prefix, first);
}

ORDER(unit_store_by_first, struct unit_store_entry, RISING(first))

/* Adds the unit of an epoch, if it is one of a unit and has a run. */
static void unit_store_add(struct unit_store *u, const struct store_epoch_info *e)
{
    const size_t length = sizeof unit_prefix - 1;
    if (e->runs == 0 || strncmp(e->name, unit_prefix, length) != 0)
        return;
    u->entry = xgrow(u->entry, u->entries, sizeof *u->entry);
    u->entry[u->entries++] = (struct unit_store_entry){strtoull(e->name + length, NULL, 10), e->last_run};
}

enum status unit_store_list(struct unit_store *u, const char *path, struct errmsg *err)
{
    struct profile_store *s = NULL;
    struct store_contents contents = {0};
    const struct store_selection all = {0};
    *u = (struct unit_store){0};
    if (access(path, F_OK) != 0)
        return ST_OK;
    enum status st = store_open(&s, path, STORE_READ, STORE_WAIT_MS, err);
    if (st == ST_OK)
        st = store_list(s, &all, &contents, err);
    for (size_t n = 0; st == ST_OK && n < contents.epochs; n++)
        unit_store_add(u, &contents.epoch[n]);
    if (u->entries != 0)
        qsort(u->entry, u->entries, sizeof *u->entry, unit_store_by_first);
    store_contents_release(&contents);
    store_close(s);
    return st;
}

void unit_store_release(struct unit_store *u)
{
    free(u->entry);
    *u = (struct unit_store){0};
}

int64_t unit_store_run(const struct unit_store *u, uint64_t first)
{
    size_t low = 0, high = u->entries;
    SEARCH(low, high, middle, u->entry[middle].first < first);
    return low < u->entries && u->entry[low].first == first ? u->entry[low].run : 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/collect/daemon.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/order.h"
#include "base/status.h"

struct key {
    uint64_t pc;
    uint32_t pid, event;
};

struct daemon_known {
    struct key key;
    uint64_t count;
    UT_hash_handle hh;
};

struct daemon {
    struct daemon_known *known; /* owned; a uthash table by key */
    struct sample_entry *sorted;
};

struct daemon *daemon_new(void) { return xcalloc(1, sizeof(struct daemon)); }

void daemon_free(struct daemon *d)
{
    if (d == NULL)
        return;
    struct daemon_known *k, *next;
    HASH_ITER (hh, d->known, k, next) {
        HASH_DEL(d->known, k);
        free(k);
    }
    free(d->sorted);
    free(d);
}

void daemon_add(void *ctx, const struct sample_entry *e)
{
    struct daemon *d = ctx;
    const struct key key = {.pc = e->pc, .pid = e->pid, .event = e->event};
    struct daemon_known *k;
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the key has no padding */
    HASH_FIND(hh, d->known, &key, sizeof key, k);
    if (k == NULL) {
        k = xcalloc(1, sizeof *k);
        k->key = key;
        HASH_ADD(hh, d->known, key, sizeof key, k);
    }
    k->count += e->count;
}

ORDER(daemon_compare, struct sample_entry, RISING(pid) RISING(event) RISING(pc))

const struct sample_entry *daemon_samples(struct daemon *d, size_t *count)
{
    size_t n = 0;
    free(d->sorted);
    d->sorted = xcalloc(HASH_COUNT(d->known) + 1, sizeof *d->sorted);
    for (struct daemon_known *k = d->known; k != NULL; k = k->hh.next)
        d->sorted[n++] = (struct sample_entry){
            .pc = k->key.pc, .pid = k->key.pid, .event = k->key.event, .count = k->count};
    qsort(d->sorted, n, sizeof *d->sorted, daemon_compare);
    *count = n;
    return d->sorted;
}

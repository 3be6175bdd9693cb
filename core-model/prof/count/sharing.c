/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The observer `sharing`: retired accesses whose line another hart had modified, by instruction and address. A store
 * accesses the cache after its retirement, so it is counted when the cache accepts it (struct probe_tagger,
 * `complete`). */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/status.h"
#include "contract/families.h"
#include "core-model/prof/observer.h"

enum {
    SHARING_STORES = 1 << OPCLASS_STORE | 1 << OPCLASS_FSTORE,
    SHARING_LOADS = 1 << OPCLASS_LOAD | 1 << OPCLASS_FLOAD | 1 << OPCLASS_ATOMIC,
};

struct sharing_count {
    struct sharing_key {
        uint64_t address, pc;
        uint64_t bytes, writes; /* no bytes between the members */
    } key;
    uint64_t accesses;
    UT_hash_handle hh;
};

struct sharing {
    struct observer base;
    struct event_filter loads, stores;
    struct sharing_count *counts;   /* owned; a uthash table */
    struct sharing_profile profile; /* valid after finish */
};

static void sharing_count(struct sharing *s, const struct probe_insn *in)
{
    const struct rv_outcome *o = in->outcome;
    struct sharing_count *c;
    if ((in->events & PROBE_HITM) == 0 || o->mem_bytes == 0)
        return;
    const struct sharing_key key = {o->ea, in->pc, o->mem_bytes, o->wrote_mem != 0};
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): the key has no padding */
    HASH_FIND(hh, s->counts, &key, sizeof key, c);
    if (c == NULL) {
        c = xcalloc(1, sizeof *c);
        c->key = key;
        HASH_ADD(hh, s->counts, key, sizeof c->key, c);
    }
    c->accesses++;
}

static void sharing_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    (void)cycle;
    sharing_count(ctx, in);
}

static unsigned sharing_tag(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    (void)ctx, (void)seq, (void)pc, (void)opclass, (void)cycle;
    return 1;
}

static void sharing_stored(void *ctx, const struct probe_insn *in, unsigned tag, uint64_t cycle)
{
    (void)tag, (void)cycle;
    sharing_count(ctx, in);
}

static struct observer *sharing_create(const struct observer_kind *kind, const struct observer_setup *setup)
{
    struct sharing *s = xcalloc(1, sizeof *s);
    (void)setup;
    s->loads = (struct event_filter){.classes = SHARING_LOADS, .from = UINT64_MAX};
    s->stores = (struct event_filter){.classes = SHARING_STORES, .from = UINT64_MAX};
    s->base.kind = kind;
    s->base.probe = (struct probe_listener){.ctx = s,
                                            .values = true,
                                            .stage[PROBE_RETIRED] = sharing_retired,
                                            .filter[PROBE_RETIRED] = &s->loads,
                                            .tagger = {.at = PROBE_MAPPED,
                                                       .bits = 1,
                                                       .filter = &s->stores,
                                                       .tag = sharing_tag,
                                                       .tagged = sharing_stored,
                                                       .complete = true}};
    return &s->base;
}

static void sharing_attach(struct observer *o, struct core *core)
{
    ((struct sharing *)o)->profile.line_bytes = core_configuration(core)->line_bytes;
}

static void sharing_finish(struct observer *o, uint64_t cycles, struct hart *hart)
{
    struct sharing *s = (struct sharing *)o;
    struct sharing_profile *p = &s->profile;
    (void)cycles, (void)hart;
    p->label = o->label != NULL ? o->label : o->kind->name;
    p->harts = 1;
    p->rows = 0;
    free((void *)p->row);
    struct sharing_row *row = xcalloc(HASH_COUNT(s->counts) + 1, sizeof *row);
    for (const struct sharing_count *c = s->counts; c != NULL; c = c->hh.next)
        row[p->rows++] = (struct sharing_row){.address = c->key.address,
                                              .bytes = (uint32_t)c->key.bytes,
                                              .pc = c->key.pc,
                                              .writes = c->key.writes != 0,
                                              .accesses = c->accesses};
    if (p->rows > 0)
        qsort(row, p->rows, sizeof *row, sharing_row_compare);
    p->row = row;
}

static const struct sharing_profile *sharing_profile_of(const struct observer *o)
{
    return &((const struct sharing *)o)->profile;
}

static void sharing_release(struct observer *o)
{
    struct sharing *s = (struct sharing *)o;
    struct sharing_count *c, *next;
    HASH_ITER (hh, s->counts, c, next) {
        HASH_DEL(s->counts, c);
        free(c);
    }
    free((void *)s->profile.row);
    free(s);
}

const struct observer_kind observer_sharing = {
    .name = "sharing",
    .help = "exact: accesses to lines that another hart had modified, by data, hart and instruction",
    .create = sharing_create,
    .attach = sharing_attach,
    .finish = sharing_finish,
    .sharing = sharing_profile_of,
    .release = sharing_release,
};

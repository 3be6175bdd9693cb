/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The observers `topdown`, `topdown-issue` and `topdown-commit`: add the slots of a stage by address and category. The
 * slot of an instruction that has passed the stage becomes known when the instruction retires or is squashed. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "contract/families.h"
#include "core-model/prof/observer.h"
#include "core-model/prof/pc_index.h"

struct topdown {
    struct observer base;
    struct pc_index index;
    struct topdown_row *row; /* by the number of the address; number 0 is unused */
    uint32_t capacity;
    uint64_t entered, left;         /* instructions that have passed the stage; of them, retired or squashed */
    struct topdown_profile profile; /* valid after finish */
};

static uint32_t topdown_enter(struct topdown *t, uint64_t pc)
{
    bool is_new;
    const uint32_t at = pc_index_enter(&t->index, pc, &is_new);
    if (!is_new)
        return at;
    if (at >= t->capacity) {
        const uint32_t more = t->capacity != 0 ? t->capacity : 1024;
        t->row = xrealloc(t->row, (t->capacity + more) * sizeof *t->row);
        memset(t->row + t->capacity, 0, more * sizeof *t->row);
        t->capacity += more;
    }
    t->row[at].pc = pc;
    return at;
}

static void topdown_add(struct topdown *t, uint64_t pc, enum topdown_leaf leaf, uint64_t slots)
{
    const struct pc_page *page = &pc_no_page;
    uint32_t at = pc_index_find(&t->index, pc, &page);
    if (__builtin_expect(at == 0, 0))
        at = topdown_enter(t, pc);
    t->row[at].slots[leaf] += slots;
}

static void topdown_slots(void *ctx, const struct probe_slots *s)
{
    struct topdown *t = ctx;
    t->profile.width = s->width;
    t->entered += s->entered * s->repeat;
    if (s->entered < s->width)
        topdown_add(t, s->pc, (enum topdown_leaf)s->leaf, (uint64_t)(s->width - s->entered) * s->repeat);
}

static void topdown_squashed(void *ctx, const struct probe_slots_squashed *s)
{
    struct topdown *t = ctx;
    t->left += s->slots;
    topdown_add(t, s->pc, (enum topdown_leaf)s->leaf, s->slots);
}

static void topdown_retired(void *ctx, enum opclass opclass, uint64_t pc, uint64_t value)
{
    struct topdown *t = ctx;
    (void)opclass, (void)value;
    t->left++;
    topdown_add(t, pc, TOPDOWN_RETIRING, 1);
}

static struct observer *topdown_create(const struct observer_kind *kind, const struct observer_setup *setup)
{
    struct topdown *t = xcalloc(1, sizeof *t);
    (void)setup;
    t->base.kind = kind;
    t->profile.stage = kind == &observer_topdown_issue    ? TOPDOWN_AT_ISSUE
                       : kind == &observer_topdown_commit ? TOPDOWN_AT_COMMIT
                                                          : TOPDOWN_AT_ENTRY;
    t->base.probe.ctx = t;
    t->base.probe.slots_of = t->profile.stage;
    t->base.probe.slots = topdown_slots;
    t->base.probe.slots_squashed = topdown_squashed;
    t->base.probe.result = topdown_retired;
    t->base.probe.result_classes = UINT32_MAX;
    pc_index_init(&t->index);
    topdown_enter(t, 0);
    return &t->base;
}

ORDER(topdown_compare, struct topdown_row, RISING(pc))

static void topdown_finish(struct observer *o, uint64_t cycles, struct hart *hart)
{
    struct topdown *t = (struct topdown *)o;
    struct topdown_profile *p = &t->profile;
    (void)cycles, (void)hart;
    if (t->entered > t->left) /* fewer: those beyond the width of the last cycles */
        topdown_add(t, 0, TOPDOWN_IN_FLIGHT, t->entered - t->left);
    t->left = t->entered;
    p->label = o->label != NULL ? o->label : o->kind->name;
    p->rows = t->index.last;
    free((void *)p->row);
    struct topdown_row *row = xcalloc(p->rows, sizeof *row);
    memcpy(row, t->row + 1, p->rows * sizeof *row);
    qsort(row, p->rows, sizeof *row, topdown_compare);
    p->row = row;
    p->slots = 0;
    for (size_t r = 0; r < p->rows; r++)
        p->slots += topdown_total(row[r].slots);
}

static const struct topdown_profile *topdown_profile(const struct observer *o)
{
    return &((const struct topdown *)o)->profile;
}

static void topdown_release(struct observer *o)
{
    struct topdown *t = (struct topdown *)o;
    pc_index_fini(&t->index);
    free(t->row);
    free((void *)t->profile.row);
    free(t);
}

const struct observer_kind observer_topdown = {
    .name = "topdown",
    .help = "exact: every slot of rename (in order: of issue) by category of top-down analysis",
    .create = topdown_create,
    .finish = topdown_finish,
    .topdown = topdown_profile,
    .release = topdown_release,
};

const struct observer_kind observer_topdown_issue = {
    .name = "topdown-issue",
    .help = "exact: the same of issue, by the instruction that computes what is waited for",
    .out_of_order = true,
    .create = topdown_create,
    .finish = topdown_finish,
    .topdown = topdown_profile,
    .release = topdown_release,
};

const struct observer_kind observer_topdown_commit = {
    .name = "topdown-commit",
    .help = "exact: the same of commit, by the oldest instruction",
    .out_of_order = true,
    .create = topdown_create,
    .finish = topdown_finish,
    .topdown = topdown_profile,
    .release = topdown_release,
};

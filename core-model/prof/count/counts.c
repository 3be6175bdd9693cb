/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact counts by instruction, the ground truth for count profiles: tags each fetched instruction, and counts it when
 * it has completed or been squashed. With the option `slots` it also counts pairs (ProfileMe paper, section 5.2). */
#include <stdlib.h>
#include <string.h>

#include "core-model/prof/count/count_pairs.h"
#include "core-model/prof/count/counts.h"

static const struct text_option options[] = {
    [COUNTS_SLOTS] = {.name = "slots"},
    {.name = NULL},
};

struct counts {
    struct observer base;
    bool slots;
    unsigned issue_width;
    struct count_table table;
    struct count_pairs pairs;
    struct count_profile profile; /* valid after finish */
};

static unsigned tag_for_pairs(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    struct counts *c = ctx;
    (void)pc, (void)opclass;
    count_pairs_fetch(&c->pairs, seq, cycle);
    return 1;
}

static void counts_tagged(void *ctx, const struct probe_insn *in, unsigned number, uint64_t cycle)
{
    struct counts *c = ctx;
    (void)number, (void)cycle;
    uint32_t at = count_table_find(&c->table, in->pc);
    count_row_add(&c->table.row[at], in);
    if (c->slots)
        count_pairs_end(&c->pairs, in, at);
}

static struct observer *counts_create(const struct observer_kind *kind, const struct observer_setup *setup)
{
    struct counts *c = xcalloc(1, sizeof *c);
    c->base.kind = kind;
    c->slots = setup->option[COUNTS_SLOTS] != 0;
    c->base.probe = (struct probe_listener){.ctx = c, .cycles = count_row_stages()};
    c->base.probe.tagger = (struct probe_tagger){
        .at = PROBE_FETCHED, .bits = 1, .tagged = counts_tagged, .squashed = true, .complete = true};
    count_table_init(&c->table);
    if (c->slots) {
        c->base.probe.tagger.tag = tag_for_pairs;
        count_pairs_init(&c->pairs, &c->table);
    }
    return &c->base;
}

static void counts_attach(struct observer *o, struct core *core)
{
    ((struct counts *)o)->issue_width = core_config_issue_width(core_configuration(core));
}

static void counts_finish(struct observer *o, uint64_t cycles, struct hart *hart)
{
    struct counts *c = (struct counts *)o;
    (void)cycles, (void)hart;
    if (c->slots)
        count_pairs_finish(&c->pairs);
    free((void *)c->profile.row);
    c->profile = (struct count_profile){.label = o->label != NULL ? o->label : o->kind->name,
                                        .exact = true,
                                        .kinds = count_kinds_of_record() | (c->slots ? count_kinds_of_pairs() : 0),
                                        .scale = 1,
                                        .pair_scale = c->slots ? 1 : 0,
                                        .issue_width = c->issue_width};
    c->profile.row = count_table_take_rows(&c->table, &c->profile.rows);
}

struct count_row *counts_rows(const struct observer *o, size_t *count)
{
    const struct counts *c = (const struct counts *)o;
    if (c->profile.row == NULL)
        return count_table_rows(&c->table, count);
    struct count_row *rows = xcalloc(c->profile.rows + 1, sizeof *rows);
    *count = c->profile.rows;
    memcpy(rows, c->profile.row, *count * sizeof *rows);
    return rows;
}

static const struct count_profile *counts_take_profile(const struct observer *o)
{
    return &((const struct counts *)o)->profile;
}

static void counts_release(struct observer *o)
{
    struct counts *c = (struct counts *)o;
    free((void *)c->profile.row);
    count_table_fini(&c->table);
    if (c->slots)
        count_pairs_fini(&c->pairs);
    free(c);
}

const struct observer_kind observer_counts = {
    .name = "counts",
    .help = "exact: events and latencies of every instruction",
    .options = options,
    .create = counts_create,
    .attach = counts_attach,
    .finish = counts_finish,
    .counts = counts_take_profile,
    .release = counts_release,
};

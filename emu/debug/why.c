/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command why: explains the last word unit by unit. */
#include "emu/debug/show.h"

static void print_operand_b(struct debugger *d, const struct uop *u, const struct cop_units *y)
{
    const struct isa_bsrc_row *row = isa_find_bsrc(u->b);
    struct cop_place place = {BUS_VALUES, 0};
    char name[WORD_TEXT] = "";
    if (row == NULL)
        return;
    unsigned n = (unsigned)u->b - row->code;
    bool named = true;
    switch (row->code) {
    case BSRC_INDEX:
        place = (struct cop_place){BUS_INDEXES, u->ir};
        break;
    case BSRC_VALUE:
        place = (struct cop_place){BUS_VALUES, n};
        break;
    case BSRC_CONST:
        place = (struct cop_place){BUS_CONSTS, n};
        break;
    default:
        named = false;
        break;
    }
    if (named)
        (void)cop_print_place(name, sizeof name, d->image, &place);
    else if (row->code == BSRC_FIELD && n < d->image->fields)
        snprintf(name, sizeof name, "%s", sample_fields[d->image->field[n]].name);
    else
        snprintf(name, sizeof name, "%s", row->name);
    fprintf(d->out, "  operand   B: %s = 0x%llx\n", name, (unsigned long long)y->b);
}

static void why_print_operands(struct debugger *d, const struct cop_step *s)
{
    struct isa_use use = isa_uses(s->uop, d->image->wide);
    char name[WORD_TEXT];
    if (use.a) {
        (void)cop_print_place(name, sizeof name, d->image, &(struct cop_place){BUS_VALUES, s->uop->a});
        fprintf(d->out, "  operand   A: %s = 0x%llx\n", name, (unsigned long long)s->units.a);
    }
    if (use.b)
        print_operand_b(d, s->uop, &s->units);
    if (use.address)
        fprintf(d->out, "  address   %u\n", s->units.address);
}

/* The layout member stored in a lane, or the lane's architectural name. */
static const char *why_lane_name(const struct debugger *d, const struct uop *u)
{
    struct image_names store;
    struct isa_names names = image_names(d->image, &store);
    const char *own = names.lane != NULL ? names.lane(names.ctx, u->base, u->lane) : NULL;
    return own != NULL ? own : isa_lanes[u->lane].name;
}

static void why_print_units(struct debugger *d, const struct cop_step *s)
{
    const struct uop *u = s->uop;
    const struct cop_units *y = &s->units;
    const struct isa_use use = isa_uses(u, d->image->wide);
    if (use.result)
        fprintf(d->out, "  ALU       %s: 0x%llx%s\n", isa_find_op(UNIT_ALU, u->alu)->mnemonic,
                (unsigned long long)y->alu, y->clipped ? ", clipped" : "");
    if (u->data != DATA_NONE)
        fprintf(d->out, "  data      %s: %s 0x%llx%s%s\n", isa_find_op(UNIT_DATA, u->data)->mnemonic,
                why_lane_name(d, u), (unsigned long long)y->lane, y->full ? ", at its limit" : "",
                use.b && y->same ? ", equal to B before" : "");
    if (u->cam == CAM_MATCH && y->entry >= 0)
        fprintf(d->out, "  match     hit: entry %d\n", y->entry);
    else if (u->cam == CAM_MATCH)
        fprintf(d->out, "  match     miss\n");
    if (u->idx != IDX_NONE && (u->idx != IDX_MATCH || y->entry >= 0))
        fprintf(d->out, "  index     %u%s\n", y->index, y->index_limit ? ", at its limit" : "");
}

static void why_print_branch(struct debugger *d, const struct cop_step *s)
{
    const struct isa_cond_row *c = isa_find_cond(s->uop->cond);
    char name[WORD_TEXT];
    show_word_name(d->image, s->next, name, sizeof name);
    if (s->branch && c != NULL)
        fprintf(d->out, "  branch    %s: %s, predicted %s\n", s->uop->invert ? c->inverse : c->name,
                s->taken ? "taken" : "not taken", s->predicted_right ? "right" : "wrong: a bubble of one cycle");
    if (s->taken && (s->uop->target == TARGET_DONE || s->uop->target == TARGET_INTERRUPT))
        fprintf(d->out, "  next      %s: the sample is finished\n",
                s->uop->target == TARGET_DONE ? "done" : "interrupt");
    else
        fprintf(d->out, "  next      %u (%s)\n", s->next, name);
}

static void why_print_writes(struct debugger *d, const struct cop_step *s)
{
    for (unsigned i = 0; i < s->writes; i++) {
        const struct cop_write *w = &s->write[i];
        struct cop_place place = {w->region, w->element};
        char name[WORD_TEXT];
        (void)cop_print_place(name, sizeof name, d->image, &place);
        fprintf(d->out, "  wrote     %s: 0x%llx -> 0x%llx\n", name, (unsigned long long)w->before,
                (unsigned long long)w->after);
    }
}

enum status cmd_why(struct debugger *d, const char *args, struct errmsg *err)
{
    const struct machine *m = d->shown;
    char text[WORD_TEXT], name[WORD_TEXT];
    (void)args;
    if (!m->knows_last)
        return fail(err, ST_INPUT, "no word has been executed yet, as far as the history goes back");
    show_word_name(d->image, m->last.pc, name, sizeof name);
    show_word_text(d, m->cop, m->last.pc, text);
    fprintf(d->out, "position %llu, cycle %llu, word %u (%s): %s\n", (unsigned long long)m->words - 1,
            (unsigned long long)m->last.cycle, m->last.pc, name, text);
    why_print_operands(d, &m->last);
    why_print_units(d, &m->last);
    why_print_writes(d, &m->last);
    why_print_branch(d, &m->last);
    return ST_OK;
}

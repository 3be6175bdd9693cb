/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warnings: unused -D options, and the findings of the static checker at their source locations. Entry point:
 * program_warn. */
#include <stdlib.h>

#include "asm/check.h"
#include "asm/program.h"

static bool asm_warn_stands_for(const struct program *p, const struct name *name, unsigned kind, unsigned number)
{
    struct ref r = name_find_operand(p, name->text);
    return r.kind == kind && r.number == number;
}

/* Location of a register or field among an operation's operands, which are names or memory; line 0: not found. */
static struct diag_loc find_operand(const struct program *p, const struct operand *o, unsigned kind, unsigned number)
{
    for (; o != NULL; o = o->next) {
        if (asm_warn_stands_for(p, &o->name, kind, number))
            return o->name.loc;
        if (o->kind == OPERAND_MEMORY && asm_warn_stands_for(p, &o->index, kind, number))
            return o->index.loc;
    }
    return (struct diag_loc){0};
}

/* Location where the word reads the register or field, else where it writes it. */
static struct diag_loc find_in_word(const struct program *p, const struct word *w, unsigned kind, unsigned number)
{
    struct diag_loc loc = {0};
    for (int dests = 0; dests < 2 && loc.line == 0; dests++)
        for (const struct operation *op = w->first; op != NULL && loc.line == 0; op = op->next)
            if (!branch_is_mnemonic(op->mnemonic.text))
                loc = find_operand(p, dests ? op->dests : op->operands, kind, number);
    if (loc.line == 0)
        BUG("the word of line %d does not name what has been found in it", w->loc.line);
    return loc;
}

/* Location of a member of a slot, or of its key. */
static struct diag_loc asm_warn_find_member(const struct program *p, unsigned number)
{
    const struct image_layout *l = &p->image->layout[number / CHECK_MEMBERS];
    const unsigned m = number % CHECK_MEMBERS;
    const char *name = m == IMAGE_MEMBERS ? "key" : l->member[m].name;
    for (unsigned s = 0; s < p->slot_count; s++)
        for (const struct member *at = p->slots[s]->members; at != NULL; at = at->next)
            if (strcmp(p->slots[s]->name.text, l->name) == 0 && strcmp(at->name.text, name) == 0)
                return at->name.loc;
    BUG("no .slot declares the member %u of '%s'", m, l->name);
}

static struct diag_loc asm_warn_locate(const struct program *p, const struct check_finding *f)
{
    static const unsigned kinds[] = {
        [PART_VALUE] = REG_VALUE, [PART_INDEX] = REG_INDEX, [PART_CONST] = REG_CONST,
        [PART_BASE] = REG_BASE,   [PART_FIELD] = REF_FIELD,
    };
    if (f->part == PART_MEMBER)
        return asm_warn_find_member(p, f->number);
    const struct word *w = &p->word[f->word];
    if (f->part != PART_WORD && f->part != PART_BRANCH)
        return find_in_word(p, w, kinds[f->part], f->number);
    const struct operation *op = w->first;
    while (f->part == PART_BRANCH && !branch_is_mnemonic(op->mnemonic.text))
        op = op->next;
    return f->part == PART_BRANCH ? op->loc : w->loc;
}

/* Returns whether the register is declared as 0, under its architectural name, or as kept between samples. */
static bool is_declared(const struct program *p, const struct check_finding *f)
{
    if (f->kind == CHECK_STALE || f->kind == CHECK_KEPT)
        return p->keeps[f->number];
    if (f->kind != CHECK_UNWRITTEN)
        return false;
    return (f->part == PART_CONST && p->regs[REG_CONST][f->number].text != NULL) ||
           (f->part == PART_BASE && p->regs[REG_BASE][f->number].text != NULL);
}

/* Warns of the -D options whose names the source does not use. */
static void warn_of_defines(struct program *p)
{
    for (const struct symbol *s = p->equs.first; s != NULL && s->name.loc.source == p->defines; s = s->next) {
        if (symtab_find(&p->mentioned, s->name.text) != NULL)
            continue;
        const char *near = symtab_nearest(&p->mentioned, s->name.text);
        const char *hint = name_find_param(p, s->name.text) >= 0 ? ": it is a parameter, which pcemu --param sets"
                           : near != NULL                        ? name_hint(p, near)
                                                                 : "";
        diag_warning(p->diag, s->name.loc, "the source does not use '%.64s'%s [define]", s->name.text, hint);
    }
}

void program_warn(struct program *p)
{
    struct check_finding *found = xmalloc(CHECK_MOST * sizeof *found);
    warn_of_defines(p);
    size_t n = pasm_check(p->image, found, CHECK_MOST);
    for (size_t i = 0; i < n; i++)
        if (!is_declared(p, &found[i]))
            diag_warning(p->diag, asm_warn_locate(p, &found[i]), "%s [%s]", found[i].text,
                         check_kind_names[found[i].kind]);
    free(found);
}

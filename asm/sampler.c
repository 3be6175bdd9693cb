/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The directive .sampler: the program's sampler and its options, and a check that it supplies the fields that the
 * program collects. Entry points: sampler_declare, sampler_check_fields. */
#include "asm/program.h"

#include <stdlib.h>

/* The sampler of that name, or -1 and an error. */
static int find_sampler(struct program *p, const struct name *name)
{
    const char *names[SAMPLER_COUNT];
    int found = sampler_find(name->text);
    if (found >= 0)
        return found;
    for (unsigned i = 0; i < SAMPLER_COUNT; i++)
        names[i] = samplers[i].name;
    diag_error(p->diag, name->loc, "unknown sampler '%.64s'%s", name->text,
               name_hint(p, diag_nearest(name->text, names, SAMPLER_COUNT)));
    return -1;
}

/* The option of that name, or -1 and an error. */
static int find_option(struct program *p, unsigned sampler, const struct name *name)
{
    const char *names[SAMPLER_OPTIONS];
    int found = sampler_find_option(sampler, name->text);
    unsigned count = sampler_option_count(sampler);
    if (found >= 0)
        return found;
    for (unsigned i = 0; i < count; i++)
        names[i] = samplers[sampler].option[i].name;
    if (count == 0)
        diag_error(p->diag, name->loc, "the sampler %s takes no options, found '%.64s'", samplers[sampler].name,
                   name->text);
    else
        diag_error(p->diag, name->loc, "the sampler %s has no option '%.64s'%s", samplers[sampler].name, name->text,
                   name_hint(p, diag_nearest(name->text, names, count)));
    return -1;
}

/* Name of the parameter or constant declared so far that is nearest to `name`, or NULL. */
static const char *nearest_number(const struct program *p, const char *name)
{
    const char *names[IMAGE_PARAMS + 1];
    for (unsigned i = 0; i < p->image->params; i++)
        names[i] = p->params[i].text;
    names[p->image->params] = symtab_nearest(&p->equs, name);
    return diag_nearest(name, names, p->image->params + 1u);
}

/* Sets an option that takes a number: an expression, or a single parameter, which then sets the option. */
static bool declare_number(struct program *p, const struct setting *set, unsigned i)
{
    struct image *im = p->image;
    const struct expr *e = set->expr;
    const struct text_option *o = &samplers[im->sampler.sampler].option[i];
    int param = e->kind == EXPR_SYMBOL ? name_find_param(p, e->name) : -1;
    if (param >= 0) {
        im->sampler_param[i] = (uint8_t)param;
        return true;
    }
    if (e->kind == EXPR_SYMBOL && symtab_find(&p->equs, e->name) == NULL) {
        const char *near = nearest_number(p, e->name);
        diag_error(p->diag, e->loc, "'%.64s' is not defined%s", e->name,
                   near != NULL ? name_hint(p, near) : ": .param or .equ must come before its use");
        return false;
    }
    return expr_eval_range(p, e, o->least, o->most, o->name, &im->sampler.option[i]);
}

static bool declare_option(struct program *p, const struct setting *set)
{
    struct sampler_setup *s = &p->image->sampler;
    int i = find_option(p, s->sampler, &set->name);
    if (i < 0)
        return false;
    const struct text_option *o = &samplers[s->sampler].option[i];
    if ((s->given >> i & 1) != 0)
        diag_error(p->diag, set->name.loc, "the option '%s' is given twice", o->name);
    else if (o->unit != NULL && set->expr == NULL)
        diag_error(p->diag, set->name.loc, "expected '%s=' and a number of %s", o->name, o->unit);
    else if (o->unit == NULL && set->expr != NULL)
        diag_error(p->diag, set->expr->loc, "the option '%s' takes no value", o->name);
    else {
        s->given |= 1u << i;
        s->option[i] = 1;
        return o->unit == NULL || declare_number(p, set, (unsigned)i);
    }
    return false;
}

void sampler_declare(struct program *p, const struct stmt *s)
{
    struct errmsg why;
    int sampler = find_sampler(p, &s->name);
    p->sampler_is_bad = sampler < 0;
    if (sampler < 0)
        return;
    p->image->sampler.sampler = (uint8_t)sampler;
    for (const struct setting *set = s->settings; set != NULL; set = set->next)
        if (!declare_option(p, set))
            p->sampler_is_bad = true;
    struct sampler_setup setup = image_sampler(p->image);
    if (!p->sampler_is_bad && sampler_check(&setup, &why) != ST_OK) {
        diag_error(p->diag, s->name.loc, "%s", why.text);
        p->sampler_is_bad = true;
    }
}

void sampler_check_fields(struct program *p)
{
    const struct image *im = p->image;
    struct sampler_setup setup = image_sampler(im);
    struct errmsg why;
    for (unsigned i = 0; i < im->fields && !p->sampler_is_bad; i++) {
        if (sampler_check_field(&setup, (enum sample_field)im->field[i], &why) == ST_OK)
            continue;
        char *suggestion = sampler_suggest(im->field, im->fields, ".sampler", ", ");
        diag_error(p->diag, p->field_loc[im->field[i]], "%s: %s", why.text, suggestion);
        free(suggestion);
        if (p->sampler != NULL)
            diag_note(p->diag, p->sampler->loc, "the sampler is named here");
        return;
    }
}

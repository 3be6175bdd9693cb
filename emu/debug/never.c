/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breakpoints that stop nothing: those that cannot are refused, and those that could after a change, of the filters, of
 * a word or of the guest's memory, are set with a warning. */
#include <stdlib.h>

#include "emu/debug/show.h"

static bool is_interrupting(const struct debugger *d)
{
    for (unsigned i = 0; i < d->image->words; i++) {
        struct uop u;
        isa_decode(d->image->word[i], &u);
        if (isa_uses(&u, d->image->wide).branch && u.target == TARGET_INTERRUPT)
            return true;
    }
    return false;
}

static enum status never_check_guest(struct debugger *d, const struct stop *s, char **warning, struct errmsg *err)
{
    bool is_certain;
    char *why = d->s.why_no_instruction != NULL ? d->s.why_no_instruction(d->s.ctx, s->at.pc[0], &is_certain) : NULL;
    if (why == NULL)
        return ST_OK;
    if (!is_certain) {
        *warning = why;
        return ST_OK;
    }
    enum status st = fail(err, ST_INPUT, "%s: the breakpoint would never stop", why);
    free(why);
    return st;
}

enum status never_check_word(const struct debugger *d, unsigned word, struct errmsg *err)
{
    if (word < d->image->words)
        return ST_OK;
    return fail(err, ST_RANGE, "the program has words 0 to %u, no %u", d->image->words - 1u, word);
}

enum status never_check_condition(struct debugger *d, const struct formula *f, const char *text, struct errmsg *err)
{
    const struct formula_scope scope = machine_scope(d->shown);
    struct integer value;
    if (!formula_is_constant(f) || formula_value(f, &scope, &value, err) != ST_OK || value.bits != 0)
        return ST_OK;
    return fail(err, ST_INPUT, "the condition '%.40s' is constant and false: the breakpoint would never stop", text);
}

enum status never_check(struct debugger *d, const struct stop *s, char **warning, struct errmsg *err)
{
    *warning = NULL;
    switch (s->kind) {
    case STOP_WORD:
        return never_check_word(d, s->word, err);
    case STOP_GUEST:
        return never_check_guest(d, s, warning, err);
    case STOP_CLASS:
        if (show_peek(d, BUS_CLASSES, (unsigned)s->opclass) == 0)
            *warning = xasprintf("the filters reject class %s, so no sample of it comes: 'filters' shows them",
                                 opclass_name(s->opclass));
        break;
    case STOP_INTERRUPT:
        if (!is_interrupting(d))
            *warning = xasprintf("no word of the program interrupts");
        break;
    case STOP_DROP:
        if (image_find_label(d->image, "drop") >= 0)
            *warning = xasprintf("this stops at dropped samples: the label is drop+0");
        break;
    case STOP_CHANGE:
    case STOP_TRUE:
    case STOP_FREE:
        break;
    }
    return ST_OK;
}

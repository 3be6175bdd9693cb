/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The queue of loads to check again. */
#include "host/driver/value/value_check.h"

#include <utlist.h>

static bool is_worth_it(const struct value_load *l)
{
    return l->masked && (value_load_is_steady(l, &value_confidence_default) || value_load_is_glacial(l));
}

void value_check_consider(struct value_check *c, struct value_load *l)
{
    if (l->waiting || !is_worth_it(l))
        return;
    l->waiting = true;
    DL_APPEND2(c->first, l, check_prev, check_next);
}

unsigned value_check_choose(struct value_check *c, struct value_mask *mask, unsigned room)
{
    unsigned chosen = 0;
    const struct value_load *last = c->first != NULL ? c->first->check_prev : NULL, *l = NULL;
    while (l != last && chosen < room) {
        struct value_load *head = c->first;
        l = head;
        DL_DELETE2(c->first, head, check_prev, check_next);
        head->waiting = is_worth_it(head);
        if (!head->waiting)
            continue;
        DL_APPEND2(c->first, head, check_prev, check_next);
        value_mask_unset(mask, head->pc32);
        chosen++;
    }
    return chosen;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contract/profileme.h"

#include <stddef.h>

static const char *const phases[] = {
#define PHASE(symbol, from, to, cycles, name) name,
#include "contract/profileme.def"
};

const char *profileme_phase_name(enum profileme_phase p) { return phases[p]; }

const char *profileme_objection(const struct profileme_choice *c)
{
    if (c->pair && c->opportunity)
        return "a pair's distance is counted in instructions: expected 'pair' or 'opportunity', found both";
    if (c->by_iid && (c->pair || c->opportunity))
        return "an instruction ID selects single instructions, and the period counts instructions: expected 'iid=N' or "
               "one of 'pair' and 'opportunity', found both";
    if (!c->pair && c->window != 0)
        return "the window is of pairs: expected 'pair' beside 'window=N'";
    if (c->window > c->period)
        return "expected a window of pairs that is not larger than the period";
    return NULL;
}

uint64_t profileme_window(const struct profileme_choice *c)
{
    if (c->window != 0)
        return c->window;
    return c->period < PROFILEME_WINDOW ? c->period : PROFILEME_WINDOW;
}

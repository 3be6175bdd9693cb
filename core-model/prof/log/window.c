/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/log/window.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum { DEFAULT_COUNT = 1000 };

static bool range_parse(const char *text, struct window *w)
{
    char *from = xstrdup(text), *to = strchr(from, '-');
    bool good = false;
    if (to != NULL) {
        *to++ = '\0';
        good = number_parse(from, &w->from) == ST_OK && number_parse(to, &w->to) == ST_OK && w->from < w->to;
    }
    free(from);
    return good;
}

static bool place_parse(const char *text, struct window *w, bool (*resolve)(void *ctx, const char *name, uint64_t *pc),
                        void *ctx)
{
    const char *colon = strrchr(text, ':');
    char *name = xstrdup(text);
    bool good = true;
    *w = (struct window){.kind = WINDOW_PC, .to = DEFAULT_COUNT};
    if (colon != NULL && isdigit((unsigned char)colon[1])) {
        name[colon - text] = '\0';
        good = number_parse(colon + 1, &w->to) == ST_OK && w->to > 0;
    }
    if (number_parse(name, &w->from) != ST_OK)
        good = good && resolve(ctx, name, &w->from);
    free(name);
    return good;
}

enum status window_parse(struct window *w, const char *text, bool (*resolve)(void *ctx, const char *name, uint64_t *pc),
                         void *ctx, struct errmsg *err)
{
    bool good;
    *w = (struct window){.kind = WINDOW_ALL};
    if (strncmp(text, "cycles:", 7) == 0) {
        w->kind = WINDOW_CYCLES;
        good = range_parse(text + 7, w);
    } else if (strncmp(text, "insts:", 6) == 0) {
        w->kind = WINDOW_INSTS;
        good = range_parse(text + 6, w);
    } else {
        good = place_parse(text, w, resolve, ctx);
    }
    if (good)
        return ST_OK;
    return fail(
        err, ST_INPUT,
        "expected cycles:FROM-TO, insts:FROM-TO, or an address or function of the guest's with or without :COUNT, "
        "found '%s'",
        text);
}

/* Updates `open` and `over` for the fetched instruction. */
static void window_advance(struct window *w, const struct probe_insn *in, uint64_t cycle)
{
    bool was_open = w->open;
    switch (w->kind) {
    case WINDOW_ALL:
        w->open = true;
        break;
    case WINDOW_CYCLES:
        w->open = cycle >= w->from && cycle < w->to;
        w->over = cycle >= w->to;
        break;
    case WINDOW_INSTS:
        w->open = w->retired >= w->from && w->retired < w->to;
        w->over = w->retired >= w->to;
        break;
    case WINDOW_PC:
        w->open = (was_open || in->pc == w->from) && w->taken < w->to;
        w->over = was_open && !w->open;
        break;
    }
}

bool window_takes(struct window *w, const struct probe_insn *in, uint64_t cycle)
{
    if (w->over)
        return false;
    window_advance(w, in, cycle);
    if (!w->open)
        return false;
    w->taken++;
    w->last_seq = in->seq;
    if (w->first_seq == 0)
        w->first_seq = in->seq;
    return true;
}

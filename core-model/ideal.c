/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Idealised instructions, as ranges of addresses that do not overlap, in ascending order. */
#include "core-model/ideal.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "contract/code.h"

const char *const ideal_names[IDEAL_BITS] = {
#define IDEAL(sym, name, words, meaning) name,
#include "core-model/ideal.def"
};
const char *const ideal_words[IDEAL_BITS] = {
#define IDEAL(sym, name, words, meaning) words,
#include "core-model/ideal.def"
};
const char *const ideal_meanings[IDEAL_BITS] = {
#define IDEAL(sym, name, words, meaning) meaning,
#include "core-model/ideal.def"
};

/* Whether the instruction can take more than a cycle to execute. */
static bool ideal_is_long(const struct code_insn *in)
{
    bool is_long = (in->flags & (CODE_MUL | CODE_FDIV)) != 0 || in->dst >= 32;
    for (unsigned n = 0; n < 3; n++)
        is_long |= in->src[n] >= 32;
    return is_long;
}

uint32_t ideal_causes_of_kind(const struct code_insn *in)
{
    if ((in->flags & CODE_SERIAL) != 0)
        return (in->flags & CODE_ALONE) != 0 ? 0 : IDEAL_FLUSH | ((in->flags & CODE_LOADS) != 0 ? IDEAL_DTLB : 0);
    if ((in->flags & CODE_LOADS) != 0)
        return IDEAL_L1D | IDEAL_DTLB | IDEAL_FORWARD;
    if ((in->flags & CODE_STORES) != 0)
        return IDEAL_DTLB;
    if (in->kind != CODE_PLAIN)
        return IDEAL_BRANCH;
    return ideal_is_long(in) ? IDEAL_LATENCY : 0;
}

/* Up to the next range's start. */
struct ideal_range {
    uint64_t start;
    uint32_t causes;
};

struct ideal {
    struct ideal_range *range; /* the first one from address 0 */
    size_t ranges;
};

struct ideal *ideal_new(void)
{
    struct ideal *t = xcalloc(1, sizeof *t);
    t->range = xcalloc(1, sizeof *t->range);
    t->ranges = 1;
    return t;
}

void ideal_free(struct ideal *t)
{
    if (t == NULL)
        return;
    free(t->range);
    free(t);
}

/* Number of the range that has the address. */
static size_t ideal_find(const struct ideal *t, uint64_t pc)
{
    size_t behind = 1, end = t->ranges;
    SEARCH(behind, end, n, t->range[n].start <= pc);
    return behind - 1;
}

/* Makes a range begin at the address; returns its number. */
static size_t ideal_split(struct ideal *t, uint64_t start)
{
    const size_t at = ideal_find(t, start);
    if (t->range[at].start == start)
        return at;
    t->range = xrealloc(t->range, (t->ranges + 1) * sizeof *t->range);
    memmove(&t->range[at + 1], &t->range[at], (t->ranges - at) * sizeof *t->range);
    t->ranges++;
    t->range[at + 1].start = start;
    return at + 1;
}

void ideal_add(struct ideal *t, uint64_t start, uint64_t end, uint32_t causes)
{
    const size_t first = ideal_split(t, start), after = end != UINT64_MAX ? ideal_split(t, end) : t->ranges;
    for (size_t n = first; n < after; n++)
        t->range[n].causes |= causes;
}

void ideal_each(const struct ideal *t, void (*see)(void *ctx, uint64_t start, uint64_t end, uint32_t causes), void *ctx)
{
    for (size_t n = 0; n < t->ranges; n++)
        if (t->range[n].causes != 0)
            see(ctx, t->range[n].start, n + 1 < t->ranges ? t->range[n + 1].start : UINT64_MAX, t->range[n].causes);
}

char *ideal_print(uint32_t causes)
{
    char *text = xstrdup(causes == IDEAL_EVERY_CAUSE ? IDEAL_EVERY_NAME : "");
    for (unsigned n = 0; n < IDEAL_BITS && causes != IDEAL_EVERY_CAUSE; n++) {
        if ((causes >> n & 1) == 0)
            continue;
        char *longer = xasprintf("%s%s%s", text, text[0] != '\0' ? "+" : "", ideal_names[n]);
        free(text);
        text = longer;
    }
    return text;
}

/* The causes of a name; 0: it is none. */
static uint32_t ideal_causes_named(const char *name)
{
    if (strcmp(name, IDEAL_EVERY_NAME) == 0)
        return IDEAL_EVERY_CAUSE;
    for (unsigned n = 0; n < IDEAL_BITS; n++)
        if (strcmp(name, ideal_names[n]) == 0)
            return 1u << n;
    return 0;
}

enum status ideal_parse(const char *text, uint32_t *causes, struct errmsg *err)
{
    char *copy = xstrdup(text), *rest = copy, *name;
    enum status st = ST_OK;
    *causes = 0;
    while (st == ST_OK && (name = strsep(&rest, "+")) != NULL) {
        const uint32_t named = ideal_causes_named(name);
        *causes |= named;
        if (named == 0)
            st = fail(err, ST_INPUT, "expected a cause (--ideal help lists them), found '%s'%s", name,
                      diag_hint(diag_nearest(name, ideal_names, IDEAL_BITS)).text);
    }
    free(copy);
    return st;
}

uint32_t ideal_causes(const struct ideal *t, uint64_t pc) { return t->range[ideal_find(t, pc)].causes; }

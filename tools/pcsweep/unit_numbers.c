/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cycles by cause and gains, from the statistics and the reports of units. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "host/study/json_member.h"
#include "tools/pcsweep/unit_profile.h"

/* The prefix of the statistics that divide the cycles by cause. */
static const char stack_prefix[] = "stack_";

/* Adds to the row of a name, which is new at its first use. */
static void unit_named_add(struct unit_named *n, const char *name, uint32_t unit, double value)
{
    size_t row = 0;
    while (row < n->shares.rows && strcmp(n->name[row], name) != 0)
        row++;
    if (row == n->shares.rows) {
        n->name = xgrow(n->name, row, sizeof *n->name);
        n->name[row] = xstrdup(name);
    }
    region_shares_add(&n->shares, row, (struct region_shares_value){.unit = unit, .value = value});
}

double unit_named_value(const struct unit_named *n, size_t row, uint32_t unit)
{
    const struct region_shares_row *r = &n->shares.row[row];
    size_t low = 0, high = r->values;
    SEARCH(low, high, middle, r->value[middle].unit < unit);
    return low < r->values && r->value[low].unit == unit ? r->value[low].value : 0;
}

enum status unit_profile_add_statistics(struct unit_profile *u, uint32_t unit, const char *at, const json_t *statistics,
                                        struct errmsg *err)
{
    const json_t *core, *member;
    const char *key;
    uint64_t cycles = 0;
    enum status st = json_member_object(at, statistics, "core", &core, err);
    if (st == ST_OK)
        st = json_member_count(at, core, "cycles", false, &cycles, err);
    if (st != ST_OK)
        return st;
    u->stack.shares.whole[unit] = (double)cycles;
    json_object_foreach((json_t *)core, key, member)
    {
        const size_t length = sizeof stack_prefix - 1;
        if (strncmp(key, stack_prefix, length) == 0 && json_is_integer(member))
            unit_named_add(&u->stack, key + length, unit, (double)json_integer_value(member));
    }
    return ST_OK;
}

/* Adds the gain of a question: the cycles that the run without its causes takes less. */
static enum status unit_gains_add(struct unit_profile *u, uint32_t unit, const char *at, const json_t *row, double base,
                                  struct errmsg *err)
{
    const char *asked;
    uint64_t cycles = 0;
    enum status st = json_member_text(at, row, "asked", false, &asked, err);
    if (st == ST_OK)
        st = json_member_count(at, row, "cycles", false, &cycles, err);
    if (st == ST_OK)
        unit_named_add(&u->gains, asked, unit, base - (double)cycles);
    return st;
}

enum status unit_profile_add_report(struct unit_profile *u, uint32_t unit, const char *at, const json_t *report,
                                    struct errmsg *err)
{
    const json_t *gains = json_object_get(report, "gains"), *rows;
    uint64_t base = 0;
    if (gains == NULL)
        return ST_OK;
    enum status st = json_member_count(at, gains, "cycles", false, &base, err);
    if (st == ST_OK)
        st = json_member_array(at, gains, "instructions", JSON_OBJECT, &rows, err);
    if (st != ST_OK)
        return st;
    u->gains.shares.whole[unit] = (double)base;
    for (size_t n = 0; st == ST_OK && n < json_array_size(rows); n++)
        st = unit_gains_add(u, unit, at, json_array_get(rows, n), (double)base, err);
    return st;
}

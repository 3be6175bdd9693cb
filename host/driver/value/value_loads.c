/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/driver/value/value_loads.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "isa/sample.h"

ORDER(by_samples, struct program_row, FALLING(number[VALUE_LOADS_SAMPLES].held) RISING(key))

static void value_loads_set(struct program_row *row, unsigned member, uint64_t n)
{
    row->number[member].held = n;
    row->number[member].estimate = (double)n;
}

void value_loads_fill(struct program_profile *p, const struct value_profile *values)
{
    static const char *const names[VALUE_LOADS_MEMBERS][2] = {[VALUE_LOADS_SAMPLES] = {"samples", "samples"},
                                                              [VALUE_LOADS_VISITS] = {"visits", "visits"},
                                                              [VALUE_LOADS_CHECKS] = {"checks", "visits"}};
    struct program_table *t = &p->table[p->tables++];
    *t = (struct program_table){
        .name = "loads", .key = FORMAT_PC, .scale = {.period = 1, .thinned = 1}, .members = VALUE_LOADS_MEMBERS};
    for (unsigned m = 0; m < VALUE_LOADS_MEMBERS; m++)
        t->member[m] = (struct program_member){.name = names[m][0],
                                               .unit = names[m][1],
                                               .format = FORMAT_COUNT,
                                               .has_estimate = true,
                                               .estimated = (double)NAN,
                                               .exact = (double)NAN};
    program_table_make_rows(t, value_profile_count(values));
    struct program_row *row = t->row;
    for (const struct value_load *l = values->loads; l != NULL; l = l->hh.next, row++) {
        row->key = sample_pc_of(l->pc32);
        value_loads_set(row, VALUE_LOADS_SAMPLES, l->total);
        value_loads_set(row, VALUE_LOADS_VISITS, l->visits);
        value_loads_set(row, VALUE_LOADS_CHECKS, l->checks);
    }
    qsort(t->row, t->rows, sizeof *t->row, by_samples);
}

const struct value_load *value_loads_find(const struct value_profile *values, const struct program_row *row)
{
    return value_profile_find(values, sample_pc32(row->key));
}

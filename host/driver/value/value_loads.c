/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/driver/value/value_loads.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "isa/sample.h"

static int compare_loads(const void *a, const void *b)
{
    const struct value_load *x = *(struct value_load *const *)a, *y = *(struct value_load *const *)b;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return (x->pc32 > y->pc32) - (x->pc32 < y->pc32);
}

/* All loads by descending count. The caller frees the array. */
static struct value_load **sort_loads(const struct value_profile *p)
{
    unsigned n = value_profile_count(p), i = 0;
    struct value_load **loads = xcalloc(n, sizeof(struct value_load *));
    for (struct value_load *l = p->loads; l != NULL; l = l->hh.next)
        loads[i++] = l;
    if (n != 0)
        qsort(loads, n, sizeof(struct value_load *), compare_loads);
    return loads;
}

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
    struct value_load **loads = sort_loads(values);
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
    for (size_t i = 0; i < t->rows; i++) {
        t->row[i].key = sample_pc_of(loads[i]->pc32);
        value_loads_set(&t->row[i], VALUE_LOADS_SAMPLES, loads[i]->total);
        value_loads_set(&t->row[i], VALUE_LOADS_VISITS, loads[i]->visits);
        value_loads_set(&t->row[i], VALUE_LOADS_CHECKS, loads[i]->checks);
    }
    free(loads);
}

const struct value_load *value_loads_find(const struct value_profile *values, const struct program_row *row)
{
    return value_profile_find(values, sample_pc32(row->key));
}

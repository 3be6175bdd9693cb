# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a statistic of a core'
steps='row count page'
row() { behind core-model/stats.def '^STAT\(page_faults,' << 'E'
STAT(rows_stores, "instructions", "", "stores retired, counted again")
E
}
no_row()
{
    named rows_stores
    compile core-model/pipe/commit.c
}
count() { behind core-model/pipe/commit.c '^    c->stats.stores \+= ' << 'E'
    c->stats.rows_stores += (flags & RV_STORE) != 0;
E
}
no_count()
{
    named 'core-model/stats.def: rows_stores is counted nowhere'
    tables
}
page() { generated docs/core-reference.md; }
no_page()
{
    named '`rows_stores`'
    pages
}
works()
{
    pcemu --no-program --stats stats --format json "$(guest)" > out
    holds '.core | .rows_stores == .stores and .stores > 1000' stats
}

# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a cost of the host'
steps='row count page json'
row() { behind contract/host_cost.def '^HOST_WORK\(JUDGE,' << 'E'
HOST_WORK(ROWS_MERGE, rows_merge, 1000, 1000000, "a layout merged into a table", "our choice")
E
}
no_row()
{
    named HOST_ROWS_MERGE
    compile host/driver/cost.c
}
count() { behind host/driver/cost.c '^    host_clock_work\(c, HOST_INSERT, added\);$' << 'E'
    host_clock_work(c, HOST_ROWS_MERGE, 1);
E
}
no_count()
{
    named 'contract/host_cost.def: ROWS_MERGE is counted nowhere'
    tables
}
page() { generated docs/core-reference.md; }
no_page()
{
    named host_rows_merge
    pages
}
json() { behind docs/json.md '^\| `.handler_work` ' << 'E'
| `.handler_work.rows_merge` | pieces | layouts merged |
E
}
no_json()
{
    named 'docs/json.md has no Reports .handler_work.rows_merge'
    json_keys
}
works()
{
    pcasm -D N=512 -D SLOTS=8 -o simple.pc "$full/programs/simple.pasm"
    pcemu --program simple.pc --format json -o report "$full/build/workloads/invariant" 1 > out
    holds '.handler_work.rows_merge > 0 and .handler_table_cycles >= 1000 * .handler_work.rows_merge' report
}

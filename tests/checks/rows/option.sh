# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='an option of a tool'
steps='row use help'
row() { before tools/pcemu/options.def '^GROUP\("The guest:"\)$' << 'E'
OPTION(NUMBER(0, 9), rows_number, "rows-number", 0, "N", "Print N and exit", .initial = "0")
E
}
no_row()
{
    named rows_number
    compile tools/pcemu/pcemu_main.c
}
use() { behind tools/pcemu/pcemu_main.c '^    options_parse\(&' << 'E'
    if (session.options.rows_number != 0) {
        printf("%d rows\n", (int)session.options.rows_number);
        return 0;
    }
E
}
no_use()
{
    named 'tools/pcemu/options.def: rows_number'
    tables
}
help() { generated tests/golden/cli/help.out; }
no_help()
{
    named rows-number
    tests/golden/run_cli.sh "$full/build" cli help
}
works()
{
    pcemu --rows-number 7 "$(guest)" > out
    says '7 rows' out
    ! pcemu --rows-number 10 "$(guest)" > out 2>&1
    says rows-number out
}

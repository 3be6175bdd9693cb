# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a value of a fixed choice'
steps='row use help'
row() { behind tools/pcasm/pcasm_options.def '^COST\(JSON,' << 'E'
COST(ROWS, "rows")
E
}
no_row()
{
    named COST_ROWS
    compile tools/pcasm/pcasm_main.c
}
use() { before tools/pcasm/pcasm_main.c '^    if \(st == ST_OK && o->cost != COST_NONE\)$' << 'E'
    if (st == ST_OK && o->cost == COST_ROWS)
        printf("%u rows\n", im.data_rows);
E
}
unnoticed_use='a value may be what happens without a test for it, as text is; the compiler checks a switch alone'
help() { generated tests/golden/cli/help.out; }
no_help()
{
    named 'json|rows'
    tests/golden/run_cli.sh "$full/build" cli help
}
works()
{
    pcasm --cost=rows -o simple.pc "$full/programs/simple.pasm" > out
    says '256 rows' out
    ! pcasm --cost=row -o simple.pc "$full/programs/simple.pasm" > out 2>&1
    says 'rows' out
}

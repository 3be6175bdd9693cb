# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a sample field'
steps='row page'
targets='build/tests/unit/test_sample_fields'
row() { behind isa/sample.def '^FIELD\(CYCLE,' << 'E'
FIELD(OPERANDS, "operands", 16, LATENCIES,   BETWEEN(MAPPED, DATA_READY), ALL, "cycles from map to operands known")
E
}
no_row()
{
    named "'operands'"
    rebuild build/bin/pcasm
    pcasm_of_tree=build/bin/pcasm
    printf '.filter class load\n.entry load a\na: mov operands -> v0 | done\n' | $pcasm_of_tree -o image.pc -
}
page() { generated docs/isa.md; }
no_page()
{
    named '`operands`'
    pages
}
works()
{
    cat > wait.pasm << 'P'
        .program waits
        .base   t = 0
        .index  i, width 4
        .filter class load
        .entry  load go
        .slot   t[16] { sum : 64 }
go:     mov     operands -> v0 | if zero done
        inc     t[i].sum | done
P
    pcasm -o wait.pc wait.pasm
    pcemu --program wait.pc --format json -o report --set cop_early_drop=no "$(guest)" > out
    holds 'any(.. | .sum? | numbers; . > 0)' report
    CK_VERBOSITY=minimal "$full/build/tests/unit/test_sample_fields"
}

# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a format of slot members'
steps='row page'
row() { behind contract/slot_format.def '^FORMAT\(SIGNED,' << 'T'
FORMAT(PAGE, "page", IDENTITY, DATA_ADDRESS, 12, "address of a page; up to 32 bits hold its bits 43:12")
T
}
no_row()
{
    named "unknown format 'page'"
    rebuild build/bin/pcasm
    pcasm_of_tree=build/bin/pcasm
    printf '.base t = 0\n.slot t[2] { where : 32 page }\n' | $pcasm_of_tree -o image.pc -
}
page() { generated docs/isa.md; }
no_page()
{
    named '`page`'
    pages
}
works()
{
    cat > pages.pasm << 'P'
        .program pages
        .base   t = 0
        .index  i, width 4
        .filter class load
        .entry  load go
        .slot   t[16] { where : 32 page, count : 32 }
go:     mov     operand1 -> v0
        st      t[i].where, v0
        inc     t[i].count | done
P
    pcasm -o pages.pc pages.pasm
    printf 'load operand1=5\n' > one.samples
    pcemu --program pages.pc --core samples:one.samples --format json -o report
    holds '.layouts[0].rows[0].members.where.pc == "0x5000"' report
}

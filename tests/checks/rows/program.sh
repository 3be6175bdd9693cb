# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a profiling program'
steps='file line'
targets='build/programs/rows_program.pc'
file()
{
    create programs/rows_program.pasm << 'P'
; SPDX-License-Identifier: GPL-3.0-or-later
; rows_program: how many stores are there of each address modulo 16?
            .program rows_program
            .base   bins = 0
            .index  bin, width 4
            .filter class store
            .entry  store count
            .slot   bins[16] { stores : 64 }
count:      mov     ea32 -> bin
            inc     bins[bin].stores | done
P
}
line() { behind docs/programs/README.md '^\| \[`hello`\]' << 'M'
| [`rows_program`](edge.md) | how many stores are there of each address modulo 16? | retired stores |
M
}
no_line()
{
    named 'docs/programs/README.md: no line with a page for rows_program'
    tables
}
unnoticed_file='there is no program without it'
works()
{
    pcemu --program "$full/build/programs/rows_program.pc" --format json -o report "$(guest)" > out
    holds '[.. | .stores? | numbers] | add > 100' report
}

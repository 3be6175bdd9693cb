# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind="an event of TEA's signatures"
steps='row flag set_flag'
row() { behind contract/pics.def '^PICS_EVENT\(FL_MO,' << 'C'
PICS_EVENT(ROWS_FIRST, "ROWS-FIRST", 0, PICS_ROWS_FIRST, "it commits mispredicted")
C
}
unnoticed_row='a flag of the commit token needs no event'
flag() { replace core-model/prof/time/tea.h '^enum pics_commit ' 'PICS_ORDERING = 8' \
    'PICS_ORDERING = 8, PICS_ROWS_FIRST = 16'; }
no_flag()
{
    named PICS_ROWS_FIRST
    compile core-model/prof/time/tea.c
}
set_flag()
{
    replace core-model/prof/time/tea.h '^    return tea_signature\(events, \(\(events & PROBE_MISPREDICTED' \
        '? PICS_MISPREDICTED' '? PICS_MISPREDICTED | PICS_ROWS_FIRST'
}
unnoticed_set_flag='the event then never happens, as one may in any run'
works()
{
    pcemu --no-program --profile tea-oracle --format json -o report "$(guest)" > out
    holds '[.pics.signatures[] | select(.signature | contains("ROWS-FIRST")) | .time["tea-oracle"]] | add > 0' report
}

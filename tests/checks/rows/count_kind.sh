# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a kind of count'
steps='row latency column'
row() { before contract/countprof.def '^COUNT\(CYCLES,' << 'C'
COUNT(ROWS_MAP_RETIRE, "rows-map-retire", "", "cycles", BETWEEN(MAPPED, RETIRED), NEVER, "from rename to retired")
C
}
no_row()
{
    named COUNT_ROWS_MAP_RETIRE
    compile host/family/count_report.c
}
latency() { behind contract/profileme.def '^LATENCY\(FETCHED, RETIRED,' << 'C'
LATENCY(MAPPED, RETIRED, "rows-map-retire", "", "in the ROB")
C
}
no_latency()
{
    named LATENCY_MAPPED_RETIRED
    compile core-model/prof/count/count_record.c
}
column() { behind contract/count_column.def '^COUNT_COLUMN\(MISPREDICTED,' << 'C'
COUNT_COLUMN(ROWS_MAP_RETIRE, "map-ret", "cycles from rename to retirement")
C
}
unnoticed_column='the text form shows some kinds alone'
works()
{
    pcemu --no-program --profile counts,profileme:period=31 --format json -o report "$(guest)" > out
    holds '.counts.totals | (.[0]["rows-map-retire"] | . > 1000) and .[1]["rows-map-retire"] > 0' report
    pcemu --no-program --profile counts -o text "$(guest)" > out
    says map-ret text
}

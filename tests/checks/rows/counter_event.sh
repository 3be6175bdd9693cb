# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='an event of a counter'
steps='row classes'
row() { before contract/countprof.def '^COUNT\(CYCLES,' << 'C'
COUNT(ROWS_FORWARDED, "rows-forwarded", "ROWS.FORWARDED.RET", "instructions", RETIRED_EVENT(FORWARDED), AT(RETIRED),
      "loads with forwarded data that retired")
C
}
unnoticed_row='the classes of a probe event may be there before the first kind of count needs them'
classes() { behind core-model/prof/count/counter_signal.c '^    OF_DCACHE_MISS = ' << 'C'
    OF_FORWARDED = LOADS,
C
}
no_classes()
{
    named OF_FORWARDED
    compile core-model/prof/count/counter_signal.c
}
works()
{
    for event in rows-forwarded ROWS.FORWARDED.RET; do
        pcemu --no-program --profile counts,counter:event=$event:period=2 --format json -o report "$(guest)" > out
        holds '.counters.events[0].total as $total | .counts.totals[0]["rows-forwarded"] | . == $total and . > 0' report
    done
}

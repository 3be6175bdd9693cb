#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Selection by fetch opportunities (section 4.1.1 of the ProfileMe paper)
. "${0%/*}/lib.sh"
. "$here/pm.sh"
# shellcheck disable=SC2086 # names
pm_want $pm_programs
with_runs
# The part of the selections that found an instruction, and the part of fetch's places, four in a cycle, that had one.
for w in $pm_programs; do
    query "$w.counts" --arg p "$opportunity" \
        '.counts.profilers[] | select(.profiler == $p) | (.samples + .lost) / (.samples + .lost + .useless)' > \
        "$out/pm-10.one"
    printf '%s\t%s\t%s\n' "$w" "$(cat "$out/pm-10.one")" "$(query_stats "$w.counts" '.core | .fetched / (4 * .cycles)')"
done > "$out/pm-10.dat"
plot pm-10 << END
set xlabel 'fetched instructions by fetch opportunities'
set ylabel 'useful selections'
set xrange [0:1]
set yrange [0:1]
plot "$out/pm-10.dat" using 3:2 with points pointtype 7 notitle, x with lines notitle
END
useful=$(cut -f2 "$out/pm-10.dat" | range)
claim 'a significant part of the selections has no instruction' 'text' "useful: $useful" "$(cut -f2 "$out/pm-10.dat" |
    mean) < 0.8"
apart=$(awk -F '\t' '{ d = $2 - $3; print (d < 0 ? -d : d) }' "$out/pm-10.dat" | sort -g | tail -n 1)
claim 'useful selections are instructions fetched by opportunities: largest difference of a program' '0' "$apart" \
    "$apart < 0.02"

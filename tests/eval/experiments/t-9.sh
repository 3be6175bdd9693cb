#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# NCI and Software compared, as on hardware (validation, section 5.2 of the TIP paper)
. "${0%/*}/lib.sh"
. "$here/t.sh"
# shellcheck disable=SC2086 # names
t_want $t_programs
with_runs
# difference PROGRAM MEMBER: 1 less the overlap of the two profiles, in percent; MEMBER is instructions or functions
difference() {
    jq -r --arg a "$(t_label "$1" nci)" --arg b "$(t_label "$1" software)" --arg m "$2" '
        (.time.profilers[] | select(.profiler == $a).time) as $all
        | 100 * (1 - ([.time[$m][].time | [.[$a], .[$b]] | min] | add) / $all)' "$runs/$1.time.json"
}
for w in $t_programs; do echo "$w $(difference "$w" instructions) $(difference "$w" functions)"; done > "$out/t-9.dat"
plot t-9 << END
set style data histogram
set style fill solid 0.6
set ylabel 'difference between NCI and Software, %'
set yrange [0:*]
set xtics rotate by -40
plot "$out/t-9.dat" using 2:xtic(1) title "instructions", "" using 3 title "functions"
END
instructions=$(awk '{ s += $2 } END { printf "%.1f", s / NR }' "$out/t-9.dat") functions=$(awk '{ s += $3 } END {
    printf "%.1f", s / NR }' "$out/t-9.dat")
claim 'the difference at the level of instructions' '57 % (FireSim), 69 % (Intel)' "$instructions %" \
    "$instructions > 45 && $instructions < 75"
claim 'the difference at the level of functions' '7 % (FireSim), 4 % (Intel)' "$functions %" "$functions < 10"

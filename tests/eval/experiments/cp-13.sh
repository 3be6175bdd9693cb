#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The paper's claims on a control, a program of hot loads alone
. "${0%/*}/lib.sh"
. "$here/cp.sh"

with_runs
with_control
for n in $control_loads; do
    for p in value-paper simple; do control_timeline "$n" "$p" > "$out/cp-13.$n.$p.dat"; done
done
panels=
for n in $control_loads; do
    panels="$panels${panels:+, }\"$out/cp-13.$n.value-paper.dat\" using 1:2 with lines title \"$n loads\", \
        \"$out/cp-13.$n.simple.dat\" using 1:2 with lines dashtype 2 title \"$n, simple sampling\""
done
plot cp-13 << END
set xlabel "M cycles"
set ylabel "weighted RMS error, %"
set yrange [0:*]
plot $panels
END

first "\`sites\` executes its loads at random, each equally often, over the instructions of a region. Each has a common value,
from never to always, and other values at random. There are no rare loads and no phases: what holds here and not for a
program above can have its cause in these, or in the number of loads. The shares are uniform, which matters too: see
[value-paper](../programs/value-paper.md#beside-simple-sampling). Recorded samples, as in CP-0; ratios over five seeds,
the other columns of one. A row of the second table names the numbers of loads for which the claim is tested."
first ''
first '| loads | error %: as in the paper | as shipped | simple sampling | ratio of errors: as in the paper | as shipped | ratio of overheads: as in the paper | as shipped |'
first '|---|---|---|---|---|---|---|---|'
between() { interval "$1" | awk '{ printf "%.2f (%.2f to %.2f)", $1, $2, $3 }'; }
for n in $control_loads; do
    first "| $n |$(for p in value-paper value simple; do control_row "$n" "$p" 3 | awk '{ printf " %.2f |", $1 }'; done)$(for c in \
        3 4; do for p in value-paper value; do echo " $(between "$(control_ratios $c "$n" $p)") |"; done; done | tr -d '\n')"
done
first ''

# control_claim TEXT LOADS RESULT CONDITION: a row of the table below
rows=$out/cp-13.rows
: > "$rows"
control_claim() { printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "$(verdict "$4")" >> "$rows"; }
control_claim 'error smaller than that of simple sampling: almost 4 times (gcc)' 2048 "$(control_gain 2048) times" \
    "$(control_gain 2048) > 3.5"
control_claim 'almost 8 times (perl)' 1024 "$(control_gain 1024) times" "$(control_gain 1024) > 7"
control_claim 'the advantage grows with the number of hot static loads' '512, 1024' \
    "$(control_gain 512), $(control_gain 1024) times" "$(control_gain 1024) > $(control_gain 512)"
control_claim 'overhead lower by 30 % (gcc)' 2048 "$(control_share 2048) times" "$(control_share 2048) <= 0.70"
control_claim 'by 45 % (perl)' 1024 "$(control_share 1024) times" "$(control_share 1024) <= 0.55"
set -- $(control_near 2048 value-paper)
control_claim 'most estimates are within 5 percent' 2048 "$1 % of the pairs" "$1 > 50"
control_claim 'values that were not sampled are infrequent' 2048 "$2 % of the occurrences" "$2 < 5"
goal=$(control_row 2048 simple 3)
set -- $(for p in value-paper simple; do reach "$out/cp-13.2048.$p.dat" "$goal"; done)
control_claim "the profile converges faster" 2048 "M cycles to simple sampling's error: $1 against $2" "$1 < 0.5 * $2"
control_timeline 512 paper.slots512+array > "$out/cp-13.512.slots512.dat"
set -- $(for p in value-paper slots512; do
    lower_everywhere "$out/cp-13.512.$p.dat" "$out/cp-13.512.simple.dat"
done)
control_claim 'lower error at any given overhead' 512 "with 512 slots: $2; with 256: $1" "\"$2\" == \"yes\""
# sized LOADS COLUMN: with 128, 256 and 512 slots
sized() { for p in paper.slots128+array value-paper paper.slots512+array; do control_row "$1" $p "$2"; done | awk '{
    printf "%.3f ", $1 }'; }
for p in paper.slots128+array paper.slots512+array; do control_timeline 2048 $p > "$out/cp-13.2048.$p.dat"; done
goal=$(control_row 2048 simple 3 | awk '{ print $1 / 2 }')
set -- $(for p in paper.slots128+array value-paper paper.slots512+array; do reach "$out/cp-13.2048.$p.dat" "$goal"; done)
control_claim 'the rate of convergence is almost linear in the size' 2048 \
    "M cycles to half of simple sampling's error, with 128, 256, 512 slots: $1, $2, $3" \
    "$1 / $2 > 1.6 && $2 / $3 > 1.6 && $1 / $3 < 5"
set -- $(sized 512 3)
control_claim 'sometimes smaller arrays profile better' 512 \
    "errors with 128, 256, 512 slots $1, $2, $3 %" "1.25 * $1 < $2 || 1.25 * $2 < $3"
set -- $(sized 512 4)
control_claim 'overhead is nearly flat' 512 "$1, $2, $3 %" "$1 < 1.2 * $3 && $3 < 1.2 * $1"
# at_clock: the mean error over the seeds, at 1, 1/2, 1/4 and 1/8
at_clock() {
    for p in value-paper value-paper+clock2 value-paper+clock4 value-paper+clock8; do
        for seed in 1 $seeds; do control_row 2048 $p 3 "$seed"; done | awk '{ s += $1 } END { printf "%.2f ", s / NR }'
    done
}
set -- $(at_clock)
control_claim 'the final error does not depend on the clock' 2048 "at 1, 1/2, 1/4, 1/8: $1, $2, $3, $4 % (means of five seeds)" \
    "$(printf '%s\n' "$@" | sort -g | awk 'NR == 1 { low = $1 } { high = $1 } END { print high " <= 1.25 * " low " + 0.5" }')"
record_cycles=$(jq '(.handler_cycles / ([.records, 1] | max) * 10 | round) / 10' "$(of_control 512 value-paper)")
control_claim 'the handler takes 10 to 30 cycles for each record' 512 "$record_cycles, with entry and exit" \
    "$record_cycles >= 10 && $record_cycles <= 30"
last=$(control_last)
control_claim 'interrupts cease' 512 "the last at ${last% *} M cycles of ${last#* }" "${last% *} < 0.75 * ${last#* }"
control_timeline 512 value-paper+whole > "$out/cp-13.whole.dat"
set -- $(for f in whole 512.value-paper; do for share in 0.75 1; do error_at_share "$out/cp-13.$f.dat" $share; done; done)
falls() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", (a > 0 ? 100 * (a - b) / a : 0) }'; }
control_claim 'without splitting the profile does not converge' 512 \
    "error $2 %; in the last quarter it falls by $(falls "$1" "$2") % of itself" "$2 > 2 * $4 && $(falls "$1" "$2") < 2"
control_claim 'with splitting it does' 512 "error $4 %, by $(falls "$3" "$4") %" "$2 > 2 * $4 && $(falls "$3" "$4") < 2"

set -- $(awk -F '\t' '{ n += $5 == "holds" } END { print n + 0, NR }' "$rows")
claim 'the claims that do not hold for all programs above hold for the control' 'not claimed' "$1 of $2" "$1 == $2"
why "those that do not are in the table."
note ''
note '| claim | loads | here | condition | |'
note '|---|---|---|---|---|'
note "$(awk -F '\t' '{ gsub(/&&/, "and", $4); gsub(/\|\|/, "or", $4); printf "| %s | %s | %s | `%s` | %s |\n", $1, $2, $3, $4, $5 }' "$rows")"
note ''
note "With 4096 loads the time does not suffice for all of them: simple sampling's error is
$(control_gain 4096) times that of the profile. With 512 slots it is $(control_gain 4096 paper.slots512+array) times."

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Regions of each program, seeds, and what 256 slots allow (section 5.3 of the co-processor paper)
. "${0%/*}/lib.sh"
. "$here/cp.sh"

with_runs
with_recorded
with_control

# mean_of COLUMN PROFILER WORKLOAD: for each seed the mean over the program's regions
mean_of() { of_rows mean "$@"; }
# plus_minus NUMBERS PLACES: their mean, and half of its 95 % interval
plus_minus() { interval "$1" | awk -v places="$2" '{ printf "%.*f ± %.*f", places, $1, places, $3 - $1 }'; }
# floor COLUMN WORKLOAD: mean over the program's regions
floor() { for region in $(regions_of "$2"); do cat "$samples/$region.floors"; done | awk -F '\t' -v n="$1" '{
    s += $n } END { printf "%.2f", s / NR }'; }
says() {
    case $(paper_name "$1") in
    gcc) echo 'almost 4 times better' ;;
    perl) echo 'almost 8 times better' ;;
    bzip2 | parser | gap) echo worse ;;
    crafty) echo 'poor for both' ;;
    *) echo better ;;
    esac
}
costs() {
    case $(paper_name "$1") in
    gcc) echo '30 % lower' ;;
    perl) echo '45 % lower' ;;
    bzip2 | parser) echo 'much lower' ;;
    *) echo lower ;;
    esac
}
profilers='value-paper value simple'
first ''
first "| program | paper | error %: as in the paper | as shipped | simple sampling | floor of slot time | floors of 1, 2, 4, 8 windows |"
first '|---|---|---|---|---|---|---|'
for w in $cp_names; do
    first "| $w | $(says "$w") | $(for p in $profilers; do plus_minus "$(mean_of 3 $p "$w")" 2; echo ' |'; done | xargs) $(floor \
        3 "$w") | $(for c in 4 5 6 7; do floor $c "$w"; echo; done | paste -sd ',' | sed 's/,/, /g') |"
done
first ''
first "| program | paper | overhead %: as in the paper | as shipped | simple sampling | interrupts: as in the paper | as shipped |"
first '|---|---|---|---|---|---|---|'
for w in $cp_names; do
    first "| $w | $(costs "$w") | $(for p in $profilers; do plus_minus "$(mean_of 4 $p "$w")" 3; echo ' |'; done | xargs) $(for p \
        in value-paper value; do mean_of 7 $p "$w" | awk '{ for (i = 1; i <= NF; i++) s += $i; printf "%.0f", s / NF }';
        echo ' |'; done | xargs)"
done
first ''
first 'Ratios to simple sampling, with the 95 % interval over the seeds: the geometric mean over the regions of each
program, and over the programs.'
first ''
first '| program | error: as in the paper | as shipped | overhead: as in the paper | as shipped |'
first '|---|---|---|---|---|'
# between NUMBERS: their mean and its interval
between() { interval "$1" | awk '{ printf "%.2f (%.2f to %.2f)", $1, $2, $3 }'; }
for w in $cp_names; do
    first "| $w |$(for c in 3 4; do for p in value-paper value; do echo " $(between "$(recorded_ratios $c $p "$w")") |";
        done; done | tr -d '\n')"
done
first "| all |$(for c in 3 4; do for p in value-paper value; do echo " $(between "$(recorded_ratios $c $p $cp_names)") |";
    done; done | tr -d '\n')"

# The claims: those of the paper on both figures together, and what is required of the program as shipped.
all=$(echo "$cp_names" | wc -w)
claim_of_seeds "the error is below simple sampling's: geometric mean of the ratios over $all programs" \
    'lower for most' "$(recorded_ratios 3 value-paper $cp_names)" '<' 1 '' "$(recorded_ratios 3 value $cp_names)"
# without_masks COLUMN: geometric mean over the programs of the ratio to simple sampling, with seed 1
without_masks() { seeds='' && recorded_ratios "$1" value-paper+unmasked $cp_names | awk '{ printf "%.2f", $1 }'; }
unmasked_text="a load is masked when it is sufficiently known, which takes four visits at most, and values change
  later. If no load is masked (\`--param confident=65535 --param visit=65535\`, seed 1) the ratio is
  $(without_masks 3), at $(without_masks 4) times the overhead of simple sampling."
shown "$unmasked_text"
claim_of_seeds "the overhead is below simple sampling's: geometric mean of the ratios over $all programs" \
    'lower in every case' "$(recorded_ratios 4 value-paper $cp_names)" '<' 1 '' "$(recorded_ratios 4 value $cp_names)"
# above COLUMN PROFILER: the number of regions and seeds in which it is above simple sampling, that of all, and those
# regions
above() { of_rows above "$@" $cp_names; }
# worse COLUMN PROFILER: the two numbers
worse() { above "$@" | cut -d ' ' -f 1-2; }
set -- $(worse 3 value-paper) $(worse 3 value) $(worse 4 value-paper) $(worse 4 value)
claim "the error is below simple sampling's in every region and with every seed" 'not claimed' "above in $1 of $2" \
    "$1 == 0" "above in $3 of $4" "$3 == 0"
shown "$unmasked_text"
claim "the overhead is not above simple sampling's in any region with any seed" 'lower in every case' "above in $5 of $6" \
    "$5 == 0" "above in $7 of $8" "$7 == 0"
why "it is above in: $(above 4 value-paper | cut -d ' ' -f 3-), which execute most loads. On the control
  (CP-13) with $control_numbers loads it is $(control_shares) times that of simple sampling."

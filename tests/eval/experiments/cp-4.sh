#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Weighted RMS error of the co-processor's profile and of simple sampling, one load in 1024 (Figure 6a of the co-processor paper)
. "${0%/*}/lib.sh"
. "$here/cp.sh"

profilers='paper value simple1024'
for w in $cp_names $cp_isolated; do
    for p in none $profilers; do cp_want "$w" $p; done
done
cp_want_again $cp_names $cp_isolated
# Those that drop most, with what the buffer does as shipped.
early=$(for w in $cp_names; do case $(paper_name "$w") in bzip2 | parser) echo "$w" ;; esac; done)
for w in $early; do cp_want "$w" paper early --set cop_early_drop=1; done
with_runs
with_recorded
with_control
for w in $cp_names $cp_isolated; do
    echo "$w $(for p in $profilers; do error_of "$w.$p"; done | xargs) $(for p in $profilers;
        do error_modulo "$w.$p"; done | xargs)"
done > "$out/cp-4.dat"
plot_bars cp-4 'weighted RMS error of the invariance, %'

column() { awk -v name="$1" -v n="$2" '$1 == name { printf "%.2f", $n }' "$out/cp-4.dat"; }
# gain WORKLOAD COLUMN: how many times as large simple sampling's error is
gain() { awk -v a="$(column "$1" 4)" -v b="$(column "$1" "$2")" 'BEGIN { printf "%.2f", (b > 0 ? a / b : 999) }'; }

# gains WORKLOAD PROGRAM: the same over the program's regions, for each seed
gains() { recorded_ratios 3 "$2" "$1" | awk '{ for (i = 1; i <= NF; i++) printf "%.4f ", 1 / $i }'; }
# beside WORKLOAD PAPER CLAIM OPERATOR FACTOR: a claim on how many times simple sampling's error is that of either
# program. Workloads of a single property are run on the core with one seed.
beside() {
    case " $cp_names " in
    *" $1 "*)
        claim_of_seeds "$(called "$1"): $3" "$2" "$(gains "$1" value-paper)" "$4" "$5" ' times' "$(gains "$1" value)" ;;
    *)
        claim "$(called "$1"): $3" "$2" "$(gain "$1" 2) times (error $(column "$1" 2) %, simple $(column "$1" 4) %)" \
            "$(gain "$1" 2) $4 $5" \
            "$(gain "$1" 3) times ($(column "$1" 3) %)" "$(gain "$1" 3) $4 $5" ;;
    esac
}
# parts RUN: its causes_of in words
parts() { causes_of "$1" | awk '{
    printf "%d %% of its squared error comes from loads without a sample, %d %% from values not found of other loads, %d %% of estimates", $1, $2, $3 }'; }

for w in "$gcc" "$perl"; do
    case $w in "$gcc") paper='almost 4 times' factor=3.5 ;; *) paper='almost 8 times' factor=7 ;; esac
    beside "$w" "$paper" 'error smaller than that of simple sampling' '>' $factor
    shown "the number of loads. On the control (CP-13) with $control_numbers loads the factor is $(control_gains), and with
  4096 loads and 512 slots $(control_gain 4096 paper.slots512+array). Here $(parts "$w.paper"). $(query "$w.paper" .loads_profiled) of $(query "$w.paper" .exact_loads) loads had a slot
  in the $(query "$w.paper" .interrupts) interrupts; $(masked_of "$w.paper") were sufficiently known at the end of the
  region. Simple sampling sampled $(query "$w.simple1024" .loads_profiled)."
done
best=$(for w in $cp_names; do echo "$(gain "$w" 2) $w"; done | sort -rn | head -2 | awk '{ print $2 }' | sort | xargs)
best_shipped=$(for w in $cp_names; do echo "$(gain "$w" 3) $w"; done | sort -rn | head -2 | awk '{ print $2 }' | sort |
    xargs)
claim 'the advantage grows with the number of hot static loads' 'gcc and perl, which have most, gain most' \
    "most gain $best" "\"$best\" == \"$gcc $perl\"" \
    "most gain $best_shipped" "\"$best_shipped\" == \"$gcc $perl\""
shown "the number of loads that can be profiled in the time: on the control with $control_numbers loads the factor is
  $(control_gains). The gain comes from loads that only the co-processor sampled. Loads with a sample of simple sampling, of the
  co-processor, and all loads:
  $(for w in $best "$gcc"; do echo "$w: $(query "$w.simple1024" .loads_profiled), $(query "$w.paper" \
      .loads_profiled), $(query "$w.paper" .exact_loads)"; done | sort -u | paste -sd ';' |
      sed 's/;/; /g'). The co-processor does not sample most loads of gcc either."

# The exceptions: of the programs, and of the workloads that have their cause alone.
done_early() {
    beside "$1" worse 'worse than simple sampling' '<' 1
    why "$(parts "$1.paper"); of simple sampling's, $(parts "$1.simple1024" | sed 's/ of its squared error//')."
    claim "$(called "$1"): profiling was declared done" 'early' "complete after $(complete_of \
        "$1.paper") M cycles of $(query "$1.paper" '.cycles / 1e6 | round')" \
        "$(query "$1.paper" 'if .complete and .complete_cycle - .begin < .cycles / 2 then 1 else 0 end')" \
        "after $(complete_of "$1.value")" "$(query "$1.value" \
            'if .complete and .complete_cycle - .begin < .cycles / 2 then 1 else 0 end')"
    shown "the number of loads: on the control with 512 loads (CP-13) the last interrupt comes at
  $(control_last | sed 's/ / of /') M cycles.
  Here, after $(query "$1.paper" .interrupts) interrupts $(masked_of "$1.paper") of
  $(query "$1.paper" .loads_profiled) loads with a slot were sufficiently known, and new ones still occurred. The
  error has other causes: $(parts "$1.paper"), of which $(glacial_part_of "$1.paper" | sed 's/.* //') % is that of
  loads with glacial values."
}
glacial() {
    beside "$1" 'worse: glacial values' 'worse than simple sampling' '<' 1
    set -- "$1" $(glacial_part_of "$1.paper")
    why "$(query "$1.paper" .exact_glacial) of its $(query "$1.paper" .exact_loads) loads in this region have glacial
  values, and $3 % of the squared error comes from them: the paper's cause does not occur."
}
# glacial_part_of RUN: loads with glacial values by the exact counts that have scored values, and percent of the squared
# error that is theirs
glacial_part_of() {
    query_loads "$1" \
        '[.pairs | group_by(.pc)[] | {glacial: any(.glacial), part: (map(.count * (.estimated - .exact) * (.estimated - .exact)) | add)}]
        | [(map(select(.glacial)) | length), 100 * (map(select(.glacial).part) | add // 0) / ([map(.part) | add // 0, 1e-9] | max)] | @tsv' | awk '{ printf "%d %.0f\n", $1, $2 }'
}
# vanishes WORKLOAD COLUMN: percent of the error that is gone when truth is taken modulo 2^32
vanishes() { awk -v e="$(column "$1" "$2")" -v low="$(column "$1" $(($2 + 3)))" 'BEGIN {
    v = e > 0 ? 100 * (e - low) / e : 0; printf "%.0f", (v > -0.5 && v < 0.5 ? 0 : v) }'; }
aliased() {
    most=$(for w in $cp_names; do case $(paper_name "$w") in crafty) ;; *) for c in 2 4; do vanishes "$w" $c;
        echo; done ;; esac; done | sort -n | tail -1)
    claim "$(called "$1"): poor for both, for 64-bit values alias" 'poor for both: aliased' \
        "errors $(column "$1" 2) and simple $(column "$1" 4) %; $(vanishes "$1" 2) and $(vanishes "$1" \
            4) % of them vanish modulo 2^32, of other programs' at most $most %" \
        "$(vanishes "$1" 2) >= 20 && $(vanishes "$1" 4) >= 20 && $(vanishes "$1" 2) > $most && $(vanishes "$1" \
            4) > $most" \
        "$(column "$1" 3) %, of which $(vanishes "$1" 3) % vanish" \
        "$(vanishes "$1" 3) >= 20 && $(vanishes "$1" 3) > $most"
    cause "$(if [ -n "$cp_isolated" ]; then echo shown; else echo likely; fi)" "$(query "$1.paper" .aliased_loads) of its loads alias; $(parts "$1.paper").
  $(if [ -n "$cp_isolated" ]; then echo "\`bitboard\`, whose boards differ in their high halves, has what the paper describes (below)."; fi)"
}
for w in $cp_names $cp_isolated; do
    case $w:$(paper_name "$w") in
    sort:*) ;;
    *:gap) glacial "$w" ;;
    *:bzip2 | *:parser) done_early "$w" ;;
    *:crafty) aliased "$w" ;;
    esac
done
note 'With a factor above 1 simple sampling has the larger error. Factors of programs are geometric means over the
regions, over recorded samples, with the 95 % interval over the seeds. The tables are of the middle of each program on
the core, with seed 1.'
if [ "$REAL" = yes ]; then
    note ''
    note 'A workload in parentheses has, in isolation, the property by which the paper explains the program before it.'
fi
programs="$cp_names $cp_isolated"
run_table profiler 'as in the paper:paper' 'as shipped:value' 'simple sampling:simple1024'
note ''
note 'As in the paper, but with re-sampling (`--param resample=10`), with a co-processor that halts when the profile is
complete (`--param halt=1`), and with early drop, for the programs that the paper declares done:'
note ''
note "| program | variant | $run_columns |"
note "|---|---|$run_rule|"
for w in $(again_of $cp_names $cp_isolated); do
    note "| $w | with re-sampling | $(run_row "$w.paper.again" "$w") |"
    note "| $w | halting | $(run_row "$w.paper.halt" "$w") |"
done
for w in $early; do note "| $w | with early drop | $(run_row "$w.paper.early" "$w") |"; done
# Where the errors come from.
note ''
note 'Parts of the squared error in per cent: loads without a sample, values not found of sampled loads, and wrong estimates:'
note ''
note '| program | as in the paper | as shipped | simple sampling |'
note '|---|---|---|---|'
for w in $cp_names $cp_isolated; do
    note "| $w | $(for p in $profilers; do causes_of "$w.$p" | sed 's: : / :g'; done | paste -sd '|' |
        sed 's/|/ | /g') |"
done
note ''
note 'Aliasing: the error with profile and ground truth modulo 2^32, the part of the error that this removes, and the loads
with different values of equal low 32 bits. Glacial values: the loads that have them by the exact counts (a value stays
for 1000 executions and more on average, and no value has 95 %), those of these loads with values that count for the
error, their share of the squared error, and the loads that the profile flags:'
note ''
note '| program | modulo 2^32: as in the paper | as shipped | simple | vanishes, % | | | aliased loads | glacial, exact | scored | of the error, % | flagged |'
note '|---|---|---|---|---|---|---|---|---|---|---|---|'
for w in $cp_names $cp_isolated; do
    note "| $w | $(column "$w" 5) | $(column "$w" 6) | $(column "$w" 7) | $(vanishes "$w" 2) | $(vanishes "$w" \
        3) | $(vanishes "$w" 4) |\
 $(query "$w.paper" '"\(.aliased_loads) | \(.exact_glacial)"') | $(glacial_part_of "$w.paper" |
     sed 's/ / | /') | $(query "$w.paper" .loads_glacial) |"
done

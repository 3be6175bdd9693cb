#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Accuracy of frequencies and the number of samples (section 6.2 of the DCPI paper)
. "${0%/*}/lib.sh"
. "$here/d_analysis.sh"
with_runs
# A run has four times the samples of the other experiments on analysis: those of a minute at the 5,200 samples in a
# second of the paper's machine.
for n in 1 8 80; do d_analyse "runs$n" ev5 "runs=$n" $((d_sample_period / 4)); done
# value RUNS PROGRAM KEY: the first number of a key
value() {
    awk -F '\t' -v name="$2" -v key="$3" '$1 == "guest" && $2 == name {
        for (i = 4; i <= NF; i++) {
            split($i, a, "=")
            if (a[1] != key) continue
            split(a[2], b, "/")
            printf "%.1f", b[1]
        }
    }' "$out/runs$1.analysis"
}
one=$(d_mean_of runs1 insns 1) many=$(d_mean_of runs80 insns 1)
claim 'samples within 5 %, of 1 run and of 80, in %: mean over the programs' '54 to 70' "$one to $many" "$many > $one"
why 'the tail of wrong estimates is systematic.'
one=$(value 1 compiler insns) many=$(value 80 compiler insns)
claim 'the same of gcc; here of the workload compiler' '23 to 53' "$one to $many" "$many > $one"
why 'the classes that stay wrong have one or two issue points, which always stall.'
one=$(value 1 compiler far) many=$(value 80 compiler far)
claim 'its samples that are wrong by more than 45 %: most remain' '21 to 17' "$one to $many" "$many > $one / 2"
why 'a run of this length has few samples of each of its many procedures, so most errors of one run are of chance.'
one=$(d_mean_of runs1 far 1) many=$(d_mean_of runs80 far 1)
claim 'samples wrong by more than 45 %, mean over the programs: fewer, but not none' 'a systematic tail' \
    "$one to $many" "$many > 0 && $many < $one"
why 'more samples do not change the classes whose only issue points always stall.'
note ''
note '| workload | samples of a run | within 5 %: 1 run | 8 | 80 | wrong by more than 45 %: 1 run | 8 | 80 |'
note '|---|---|---|---|---|---|---|---|'
awk -F '\t' '$1 == "guest" { print $2, $3 }' "$out/runs1.analysis" | while read -r w samples; do
    line="| $w | $samples"
    for key in insns far; do for n in 1 8 80; do line="$line | $(value "$n" "$w" "$key")"; done; done
    note "$line |"
done

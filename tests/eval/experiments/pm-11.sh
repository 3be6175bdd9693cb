#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Claims without numbers: samples that retire are random, those of one instruction ID are not, buffers amortize interrupts (sections 3, 4.3 and 8 of the ProfileMe paper)
. "${0%/*}/lib.sh"
. "$here/pm.sh"
# shellcheck disable=SC2086 # names
pm_want $pm_programs
with_runs
# For each program, of the random selection and of that by instruction ID: the chi-square of the samples that retired
# against the exact counts, by degree of freedom, of instructions with 20 expected samples or more; and the largest of
# their estimates by its exact count.
for w in $pm_programs; do
    jq -r --arg w "$w" '.counts.instructions as $all | def fit($scale; $at): [$all[].profiles |
        select((.[0].counts.retired // 0) / $scale >= 20)
        | {e: (.[0].counts.retired / $scale), k: ((.[$at].counts.retired // 0) / $scale)}]
        | if length > 5 then ((map(.k) | add) / (map(.e) | add)) as $f
            | (map((.k - .e * $f) * (.k - .e * $f) / (.e * $f)) | add) / (length - 1), (map(.k / .e) |
                max) else empty end;
        [$w, fit(.counts.profilers[1].scale; 1), fit(.counts.profilers[-1].scale; -1)] | select(length == 5) |
            @tsv' "$runs/$w.counts.json"
done > "$out/pm-11.dat"
chi=$(cut -f2 "$out/pm-11.dat" | mean)
claim 'the retired of the samples are a random sample of what retires: chi-square by degree of freedom, mean of the programs' '1' "$chi, $(cut -f2 "$out/pm-11.dat" | range)" "$chi > 0.7 && $chi < 1.3"
why 'samples at random intervals around a mean vary less in regular code than independent selections, which the test
  assumes.'
# The program whose samples by ID are farthest from the exact counts; of the random ones the farthest, whatever the
# program.
worst=$(sort -k4,4gr "$out/pm-11.dat" | head -n 1) random=$(cut -f2 "$out/pm-11.dat" | sort -gr | head -n 1)
far=$(echo "$worst" | cut -f4)
claim 'samples of one instruction ID are no random sample of what retires (Westcott and White): chi-square by degree of freedom of the program farthest from the exact counts' 'not random' \
    "$(echo "$worst" | awk '{ printf "%s %.2f, largest estimate %.1f times the exact count", $1, $4,
        $5 }'); random selection at most $(printf '%.2f' "$random"); by ID $(awk '$4 > 2' "$out/pm-11.dat" |
        wc -l) of $(wc -l < "$out/pm-11.dat") programs above 2" \
    "$far > 3 && $far > 2 * $random"
why 'the bias affects loops whose length has a factor in common with the number of ROB entries, and the runs have too
  few samples in such loops to distinguish it from chance.'
tests=$(test_of test_profileme_statistics)
claim 'in a loop whose length divides the number of IDs, one ID is that of one instruction, and random selection gives each its share (tests/unit/host/test_profileme_statistics.c)' 'biased' "$tests tests pass" "$(all_pass "$tests")"
rate=$(for w in $pm_programs; do query "$w.counts" --arg p "$buffer" \
    '.counts.profilers[] | select(.profiler == $p) | .samples / .interrupts'; done | mean)
claim 'a buffer of 16 samples amortizes the interrupt: samples for each' '16' "$rate" "$rate > 15"

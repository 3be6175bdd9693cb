#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Claims without numbers: retired samples are a random sample, buffers amortize interrupts (sections 3 and 4.3 of the ProfileMe paper)
. "$(dirname "$0")/lib.sh"
. "$here/pm.sh"
# shellcheck disable=SC2086 # names
pm_want $pm_programs
with_runs
# Of instructions that often do not retire: the chi-square of the samples that retired against the exact counts, by degree of freedom.
for w in $pm_programs; do
    jq -r '(.counts.profilers[1].scale) as $s | [.counts.instructions[].profiles | select((.[0].counts.retired // 0) / $s >= 20)
        | {e: (.[0].counts.retired / $s), k: ((.[1].counts.retired // 0) / $s)}]
        | if length > 5 then ((map(.k) | add) / (map(.e) | add)) as $f | (map((.k - .e * $f) * (.k - .e * $f) / (.e * $f)) | add) / (length - 1) else empty end' "$runs/$w.counts.json"
done > "$out/pm-11.dat"
chi=$(mean < "$out/pm-11.dat")
claim 'the retired of the samples are a random sample of what retires: chi-square by degree of freedom, mean of the programs' '1' "$chi, $(range < "$out/pm-11.dat")" "$chi > 0.7 && $chi < 1.3"
why 'sampling at random distances of some mean, rather than each instruction independently, makes regular code vary less than the test assumes.'
rate=$(for w in $pm_programs; do query "$w.counts" --arg p "$buffer" '.counts.profilers[] | select(.profiler == $p) | .samples / .interrupts'; done | mean)
claim 'a buffer of 16 samples amortizes the interrupt: samples for each' '16' "$rate" "$rate > 15"

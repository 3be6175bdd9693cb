#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Errors of instruction samples weighted by their retire delay, and of profilers that sample cycles, against the oracle:
# each with about 30,000 samples, over three seeds; tables in Markdown for the page that profilers.sh writes.
# usage: retire_delay.sh BUILD [WORKLOAD...]
set -eu
. "$(dirname "$0")/errors.sh"

# The profilers, with periods that give that number of samples in the run.
profilers() {
    cycles=$(period cycles) fetched=$(period fetched)
    list=oracle
    for seed in 1 2 3; do
        for variant in '' :no-offender :no-ilp :no-offender:no-ilp; do
            list=$list,retire-delay:period=$fetched:seed=$seed$variant
        done
        for name in tip tip-ilp nci; do
            list=$list,$name:period=$cycles:random:seed=$seed
        done
    done
    # dispatch loses samples, so its period is shorter.
    echo "$list,dispatch:period=$((cycles * 2 / 3)):random:seed=1,dispatch:period=$((cycles * 2 / 3)):random:seed=2"
}

for workload; do
    run "$workload" --stats stats > /dev/null
    run "$workload" --profile "$(profilers)" --format json -o report
    jq --arg workload "$workload" '.time.profilers[] | select(.exact | not)
        | (.profiler | gsub(":(period=[0-9]+|seed=[0-9]+|random)"; "")) as $name
        | {workload: $workload, name: $name, samples, error}' report
done > errors

for level in instruction block function; do
    jq -rs --arg level "$level" '
        def mean: add / length;
        def percent: . * 10000 | round / 100;
        ["retire-delay", "retire-delay:no-offender", "retire-delay:no-ilp", "retire-delay:no-offender:no-ilp",
         "tip", "tip-ilp", "nci", "dispatch"] as $names
        | ["`retire-delay`", "`:no-offender`", "`:no-ilp`", "both", "`tip`", "`tip-ilp`", "`nci`",
            "`dispatch`"] as $titles
        | def cells($of): [$names[] as $n | [$of[] | select(.name == $n) | .error[$level]] | mean | percent | tostring];
          def row($cells): "| " + ($cells | join(" | ")) + " |";
          row([$level + " error, %"] + $titles), ("|---|" + ([$names[] | "---|"] | add)),
          (group_by(.workload)[] | row([.[0].workload] + cells(.))), row(["mean"] + cells(.)), ""' errors
done
jq -rs '[group_by(.name)[] | "`\(.[0].name)` \([.[].samples] | min) to \([.[].samples] | max)"]
    | "Samples: \(join(", "))."' errors | fold -s -w 118 | sed 's/ $//'

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How far instruction samples weighted by their retire delay are from the oracle, beside profilers that sample cycles:
# each with about 30,000 samples, over three seeds; the table of docs/profilers.md, in Markdown.
# usage: retire_delay.sh BUILD [WORKLOAD...]
set -eu
. "$(dirname "$0")/errors.sh"

# The profilers, with periods that give that many samples of the run.
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
    # A lost sample of dispatch is none: its period is shorter.
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
        | def cells($of): [$names[] as $n | [$of[] | select(.name == $n) | .error[$level]] | mean | percent | tostring];
          def row($cells): "| " + ($cells | join(" | ")) + " |";
          row([$level + " error, %"] + $names), row(["---"] + [$names[] | "---"]),
          (group_by(.workload)[] | row([.[0].workload] + cells(.))), row(["mean"] + cells(.)), ""' errors
done
jq -rs 'group_by(.name)[] | "samples of \(.[0].name): \([.[].samples] | min) to \([.[].samples] | max)"' errors

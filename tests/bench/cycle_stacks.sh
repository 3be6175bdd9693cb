#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How far `tea` with about 30,000 samples is from the exact per-instruction cycle stacks, over three seeds; the table of
# docs/profilers.md, in Markdown.
# usage: cycle_stacks.sh BUILD [WORKLOAD...]
set -eu
. "$(dirname "$0")/errors.sh"

echo '| workload | instruction error, % | block | function | components | signatures with most time |'
echo '|---|---|---|---|---|---|'
for workload; do
    run "$workload" --stats stats
    period=$(period cycles)
    list=tea-oracle
    for seed in 1 2 3; do
        list=$list,tea:period=$period:random:seed=$seed
    done
    run "$workload" --profile "$list" --format json -o report
    jq -r --arg workload "$workload" '
        def mean: add / length * 10000 | round / 100;
        [.pics.profilers[] | select(.exact | not) | .error] as $errors
        | [$workload, ($errors | map(.instruction) | mean), ($errors | map(.block) | mean),
           ($errors | map(.function) | mean), .pics.profilers[0].components,
           ([.pics.signatures[0:3][].signature] | join(", "))]
        | "| " + (map(tostring) | join(" | ")) + " |"' report
done

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Errors of `tea` with about 30,000 samples against the exact per-instruction cycle stacks, over three seeds; a table in
# Markdown for the page that profilers.sh writes.
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
done | tee rows
awk -F '|' '{ for (i = 3; i <= 5; i++) sum[i] += $i }
    END { printf "| mean | %.2f | %.2f | %.2f | | |\n", sum[3] / NR, sum[4] / NR, sum[5] / NR }' rows

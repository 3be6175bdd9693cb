#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the page docs/results/profilers.md to standard output: errors of the profilers of time and of the cycle stacks,
# and success of the reconstruction of paths.
# usage: profilers.sh BUILD            INSTS: instructions of each workload (20000000)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
insts=${INSTS:-20000000}
page=$(mktemp -d)
trap 'rm -rf "$page"' EXIT
cd "$page"

# The table of errors by period: profilers in rows, periods in columns.
periods='10007 1009 101 1'
by_period() {
    list=oracle
    for period in $periods; do
        for name in tip tip-ilp nci nci+ilp lci; do list=$list,$name:period=$period; done
    done
    "$build/bin/pcemu" --no-program --profile "$list" --format json -o report "$build/workloads/invariant" 100 > output
    echo "| instruction error, % | $(echo "$periods" | sed 's/ / | /g') |"
    echo "|---|$(for period in $periods; do printf -- '---|'; done)"
    jq -r '[.time.profilers[] | select(.exact | not)
            | {name: (.profiler | gsub(":period=[0-9]+"; "")), error: (.error.instruction * 1e4 | round / 100)}]
        | group_by(.name)[] | "| `\(.[0].name)` | \(map(.error | tostring) | join(" | ")) |"' report
}

# The table of paths: means over the workloads of the shares of samples whose path is found.
paths() {
    for workload in compress sort coremix bitboard hashjoin branchy compiler interp; do
        "$build/bin/pcemu" --no-program --max-insts 1500000 --profile paths:period=500 --format json \
            -o "$workload.paths" "$build/workloads/$workload" > output
    done
    jq -rs '
        ["counts", "static", "history", "pair", "distance", "likely", "likely_pair", "records"] as $schemes
        | "| scope | branches | \($schemes | join(" | ")) |", "|---|---|\($schemes | map("---|") | add)",
        ([.[].paths.success[]] | group_by([.scope, .length])[] | select(.[0].length | IN(1, 2, 4, 8, 12, 16))
            | . as $runs |
                "| \(.[0].scope) | \(.[0].length) | \([$schemes[] as $s | [$runs[].share[$s]] | add / length * 1000 | round / 10 | tostring] | join(" | ")) |")' \
        ./*.paths
}

cat << END
# The profilers, measured

The profilers are those of [profilers of time](../profilers.md) and [paths](../profilers.md#reconstruction-of-paths). All runs are on the
configuration \`boom\`. One command writes this page:

\`\`\`console
$ make experiments-profilers
\`\`\`

## Error by period

The error has a systematic part, which comes from the profiler's policy, and a random part, which falls with the
period. At a period of 1 only the systematic part is left. The program is \`invariant 100\`, a loop that mostly
commits several instructions per cycle.

END
by_period
cat << END

## Retire delay

Errors of [retire-delay](../profilers.md#retire-delay), with and without its two corrections, and of profilers that
sample cycles. Each run has $insts instructions and about 30,000 samples, squashed ones included; the error is the
mean over three seeds. \`dispatch\` has two seeds and a period of two thirds, because it loses the samples that are
squashed.

END
"$here/retire_delay.sh" "$build"
cat << END

## Cycle stacks

Errors of [tea](../profilers.md#cycle-stacks-by-event) with about 30,000 samples, against \`tea-oracle\`: means over
three seeds. The components are the pairs of instruction and signature in the exact profile.

END
"$here/cycle_stacks.sh" "$build"
cat << END

## Reconstruction of paths

Share of the samples whose path each [scheme](../profilers.md#the-schemes) finds, in per cent: means over \`compress\`,
\`sort\`, \`coremix\`, \`bitboard\`, \`hashjoin\`, \`branchy\`, \`compiler\` and \`interp\`, with about 3,000 samples of each.

END
paths

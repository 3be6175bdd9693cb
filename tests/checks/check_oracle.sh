#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compares `--profile oracle` with two independent computations, in runs of 100,000 instructions on both out-of-order
# cores. The first is the Oracle that tests/checks/oracle.awk computes from the text trace: the times of all
# instructions must be equal in the categories that both distinguish. The second is the sum of retire delays per
# instruction (retire-delay:period=1). Up to 0.5 % of the time may differ, because the retire delay attributes a wait
# for the store queue after a flush to the offending instruction, and the first cycle of the run to none. usage:
# check_oracle.sh BUILD WORKLOAD...
set -eu
build=$(cd "$1" && pwd) checks=$(pwd)/tests/checks bad=0
shift
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

# run WORKLOAD CONFIG: prints the trace and a last line "end CYCLES"; writes the report to report.json.
run() {
    "$build/bin/pcemu" --no-program --core ooo --config "$2" --max-insts 100000 \
        --profile oracle,retire-delay:period=1 --format json -o report.json --stats stats \
        --trace fetch,map,retire,squash --trace-file /dev/fd/3 "$build/workloads/$1" \
        3>&1 > output 2>&1 || cat output >&2
    awk '$1 == "cycles" { print "end", $2 }' stats
}

for workload; do
    for config in boom ev6; do
        frontend=$("$build/bin/pcemu" --config "$config" --dump-config | awk '$1 == "frontend_cycles" { print $3 }')
        rm -f report.json stats
        run "$workload" "$config" | awk -v frontend="$frontend" -f "$checks/oracle.awk" | LC_ALL=C sort > reference
        jq -r '.time.instructions[] | .categories as $c | def of($k): $c[$k] // 0;
               "\(.pc | ltrimstr("0x")) \(of("execute")) \(of("mispredict")) \(of("flush")) \(
                  of("ALU stall") + of("load stall") + of("store stall") + of("front end"))"' report.json |
            LC_ALL=C sort > profile
        delays=$(jq '.time | (.cycles * .per_cycle) as $all
                     | [.instructions[].time | .oracle - .["retire-delay:period=1"] | fabs] | add / $all' report.json)
        awk -v share="$delays" 'BEGIN { exit !(share < 0.005) }' ||
            { echo "$workload on $config: retire delays give $delays of the time to other instructions" >&2; bad=1; }
        [ -s profile ] || { echo "$workload on $config: no profile" >&2; bad=1; }
        diff profile reference > difference && continue
        echo "$workload on $config: pc, 1/840 cycles of execute, mispredict, flush, waiting;" \
            "< --profile oracle, > tests/checks/oracle.awk" >&2
        head -n 20 difference >&2
        bad=1
    done
done
exit $bad

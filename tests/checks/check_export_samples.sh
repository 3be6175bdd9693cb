#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Opens the files of pcemu --perf with perf, and compares what perf shows with the exact counts of the run: sums of
# events and functions, threads and harts, the data of loads, and the cache line of false sharing.
# usage: check_export_samples.sh BUILD
set -eu
# shellcheck source=export/lib.sh
. "$(dirname "$0")/export/lib.sh"
cd "$tmp"

if ! command -v perf > /dev/null; then
    echo 'check_export_samples.sh: perf is not installed: nothing is compared'
    exit 0
fi
perf() { command perf "$@" 2>> errors; }
# counted NAME: the exact number of events of the report
counted() { jq --arg name "$1" '[.counts.instructions[] | .profiles[0].counts[$name] // 0] | add' report.json; }
# script FIELDS EVENT: what perf script prints of the samples of an event
script() {
    perf script -i perf.data -F "event,$1" |
        awk -v event="$2:" '{ for (i = 1; i <= NF; i++) if ($i == event) { print; next } }'
}
sum() { awk '{ sum += $1 } END { print sum + 0 }'; }

# Each instruction: events and functions have the exact numbers.
riscv64-linux-gnu-objcopy --wildcard --strip-symbol='$*' "$build/workloads/sort" sort
pcemu --no-program --profile counts --perf perf.data --perf-period 1 --top 0 --format json -o report.json ./sort 8 > out
same 'loads' "$(counted loads)" "$(script period loads | sum)"
same 'instructions' "$(counted retired)" "$({ script period loads; script period stores; script period others; } | sum)"
executed=$(jq '[.counts.instructions[] | select(.function == "quicksort") | .profiles[0].counts.retired // 0] | add' \
    report.json)
same 'quicksort' "$executed" \
    "$(perf script -i perf.data -F ip,sym,period | awk '$3 == "quicksort"' | sum)"
perf report --stdio -i perf.data --show-total-period > perf.out
same 'perf report, stores of quicksort' "$(script period,ip,sym stores | awk '$4 == "quicksort"' | sum)" \
    "$(sed -n "/of event 'stores'/,/of event 'others'/p" perf.out | awk '$NF == "quicksort" { print $2 }')"
# The loads that miss in the L1, and in the L2: those of the event trace.
pcemu --no-program --trace retire --trace-file trace -o report ./sort 8 > out
same 'loads that miss' "$(grep ' reads ' trace | grep -c 'dcache-miss')" \
    "$(script data_src loads | grep -cv 'LVL L1 or L1 hit')"
same 'loads of memory' "$(grep ' reads ' trace | grep -c 'llc-miss')" \
    "$(script data_src loads | grep -c 'LVL Local RAM')"

# A sample of ten instructions: the estimate is near the number.
pcemu --no-program --perf perf.data --perf-period 10 -o report ./sort 8 > out
estimate=$(script period loads | sum)
error=$((100 * (estimate - $(counted loads)) / $(counted loads)))
[ $((error / 21)) = 0 ] || fails "estimated loads: $estimate"

# Two threads on two harts: the line of their variable is the first one of perf c2c.
riscv64-linux-gnu-gcc -O2 -g -static -o line "$root/tests/eval/export/line.c"
riscv64-linux-gnu-objcopy --wildcard --strip-symbol='$*' line
pcemu --no-program --harts 2 --perf perf.data --perf-period 10 -o report ./line > out
same 'threads and harts' 2 \
    "$(script tid,cpu,ip,sym loads | awk '$NF == "count" || $NF == "main" { print $1, $2 }' | sort -u | grep -c .)"
line=$(riscv64-linux-gnu-nm line | awk '$3 == "line" { sub("^0*", "", $1); print "0x" $1 }')
perf c2c report --stdio -i perf.data > perf.out
same 'perf c2c, first line' "$line" \
    "$(sed -n '/Shared Data Cache Line Table/,/Pareto/p' perf.out | awk '$1 == "0" { print $2; exit }')"
sed -n '/Pareto/,$p' perf.out | grep -q ' 0x0 .* main .*line.c:' || fails 'perf c2c: no load of the limit in main'
sed -n '/Pareto/,$p' perf.out | grep -q ' 0x8 .* count .*line.c:' || fails 'perf c2c: no store of the number in count'
perf mem report --stdio -i perf.data --sort mem,sym,symbol_daddr > perf.out
grep -q 'L3 .* main .*line+0x0' perf.out || fails 'perf mem: no load of line from the last-level cache'
! grep -vE '^$|No memory nodes' errors >&2 || fails 'perf has printed errors'
exit $bad

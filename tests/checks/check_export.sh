#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Opens the exported profiles of a workload with the tools that they are for, and compares what the tools show with the
# counts of pcemu's report. A tool that is not installed is named, and its comparison left out.
# usage: check_export.sh BUILD
set -eu
export LC_ALL=C
build=$(cd "$1" && pwd) root=$(pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export HOME="$tmp" DEBUGINFOD_URLS=
cd "$tmp"
bad=0

fails() { echo "check_export.sh: $*" >&2; bad=1; }
has() {
    command -v "$1" > /dev/null && return
    echo "check_export.sh: $1 is not installed: what it is for is not compared"
    return 1
}
# same WHAT A B
same() { [ "$2" = "$3" ] || fails "$1: expected $2, found $3"; }
# to FORMAT [EVENT]: the profile in a format
to() { "$build/tests/export/from_report" sort report.json "$@"; }

# perf would take the marks of RISC-V's toolchain, symbols such as $x, for functions.
riscv64-linux-gnu-objcopy --wildcard --strip-symbol='$*' "$build/workloads/sort" sort
"$build/bin/pcasm" -o callstack.pc "$root/programs/callstack.pasm"
"$build/bin/pcemu" --program callstack.pc --profile oracle,counts --top 0 --format json -o report.json ./sort 12 > out
"$build/bin/pcasm" -o calls.pc "$root/programs/calls.pasm"
"$build/bin/pcemu" --program calls.pc --top 0 --format json -o calls.json ./sort 12 > out
# executions of a function, and of all, as the report has them
report() {
    jq --arg function "$1" '[.counts.instructions[] | select($function == "" or .function == $function)
        | .profiles[0].counts.retired // 0] | add' report.json
}
# executed instructions of a function
report_places() {
    jq --arg function "$1" '[.counts.instructions[] | select(.function == $function
        and (.profiles[0].counts.retired // 0) > 0)] | length' report.json
}
executions=$(report quicksort) all=$(report '')

if has perf; then
    to perf retired > perf.data
    perf report --stdio -i perf.data --show-total-period > perf.out 2> perf.err
    same 'perf report' "$executions" "$(awk '$NF == "quicksort" { print $2 }' perf.out)"
    sum=$(perf script -i perf.data -F period 2>> perf.err | awk '{ sum += $1 } END { print sum }')
    same 'perf script' "$all" "$sum"
    # The documented command: with addresses and functions, which perf leaves out for some types of events.
    perf script -F sw:ip,sym,period -i perf.data > perf.out 2>> perf.err
    same 'perf script, function' "$executions" "$(awk '$3 == "quicksort" { sum += $1 } END { print sum }' perf.out)"
    same 'perf script, addresses' "$(report_places quicksort)" \
        "$(awk '$3 == "quicksort" { print $2 }' perf.out | sort -u | grep -c .)"
    to perf loads > perf.data
    perf report --stdio -i perf.data --children > perf.out 2>> perf.err
    grep -q -- '--main' perf.out || fails 'perf report: no call chain with main'
    "$build/tests/export/from_report" sort calls.json perf calls > perf.data
    perf report --stdio -b -n -i perf.data > perf.out 2>> perf.err
    # samples of the branches from one function to another, beside the exact number of calls
    same 'perf report -b' "$(jq '[.layouts[0].rows[] | select(.key.function == "quicksort"
        and .members.callee.function == "quicksort") | .exact.calls] | add' calls.json)" \
        "$(awk '$6 == "quicksort" && $8 == "quicksort" { print $2 }' perf.out)"
    ! grep -vE '^$' perf.err >&2 || fails 'perf has printed errors'
fi
if has callgrind_annotate; then
    to callgrind retired > callgrind.out
    callgrind_annotate --threshold=100 callgrind.out > callgrind.txt
    same callgrind_annotate "$executions" \
        "$(awk '/:quicksort \[sort\]/ { gsub(",", "", $1); print $1 }' callgrind.txt)"
    same 'callgrind_annotate, all' "$all" "$(awk '/PROGRAM TOTALS/ { gsub(",", "", $1); print $1 }' callgrind.txt)"
    "$build/bin/pcemu" --program callstack.pc --profile paths --collect runs.db -o /dev/null ./sort 12 > out
    "$build/bin/pcprof" export --to callgrind --event call_paths.events -o callgrind.out runs.db
    callgrind_annotate --tree=calling --threshold=100 callgrind.out > callgrind.txt
    same 'callgrind_annotate, calls' "$(jq '[.layouts[0].rows[] | select(.key.function == "quicksort"
        and .members.callee.function == "quicksort") | .exact.calls] | add' calls.json)" \
        "$(sed -n '/\* .*:quicksort /,/^$/ s/.*> .*:quicksort (\(.*\)x).*/\1/p' callgrind.txt | tr -d ,)"
fi
if has protoc; then
    to pprof retired > profile.pb.gz
    gzip -dc profile.pb.gz | protoc --decode pprof.Profile -I "$root/host/export" pprof.proto > pprof.txt
    same 'protoc, pprof' "$all" "$(awk '$1 == "value:" { sum += $2 } END { print sum }' pprof.txt)"
    # A member of another type than the format's would be shown by its number.
    ! grep -E '^ *[0-9]+:' pprof.txt || fails 'pprof: members that profile.proto does not have'
fi
to folded > folded.txt
same folded "$(jq '[.call_paths[].events] | add' report.json)" "$(awk '{ sum += $NF } END { print sum }' folded.txt)"
grep -q ';main;quicksort;quicksort' folded.txt || fails 'folded: no recursion of quicksort'
to speedscope > speedscope.json
same speedscope "$(jq '[.call_paths[].events] | add' report.json)" "$(jq '.profiles[0].weights | add' speedscope.json)"
jq -e '(.shared.frames | length) as $n | all(.profiles[].samples[][]; . < $n)' speedscope.json > out ||
    fails 'speedscope: numbers of frames that do not exist'
jq -e 'all(.profiles[].samples[]; length > 0)' speedscope.json > out || fails 'speedscope: stacks without frames'
to autofdo-clang > sort.prof
if has llvm-profdata; then
    llvm-profdata merge --sample --text sort.prof -o merged.prof
    same 'llvm-profdata, total of quicksort' "$(grep '^quicksort:' sort.prof)" "$(grep '^quicksort:' merged.prof)"
fi
if has clang; then
    clang --target=riscv64-linux-gnu -O2 -g -fprofile-sample-use=sort.prof -S -emit-llvm -o sort.ll \
        "$root/tests/eval/workloads/sort.c"
    entries=$(awk -F: '$1 == "quicksort" { print $3 }' sort.prof)
    # clang keeps the number of entries, and adds 1.
    grep -q "\"function_entry_count\", i64 $((entries + 1))}" sort.ll ||
        fails "clang: no function is entered $entries times"
fi
to autofdo-gcc > sort.afdo
riscv64-linux-gnu-gcc -O2 -g -fauto-profile=sort.afdo -fdump-tree-optimized-blocks-details -S -o sort.s \
    "$root/tests/eval/workloads/sort.c"
entries=$(awk -F: '$1 == "quicksort" { print $3 }' sort.prof)
grep -q "basic block 2, .*count $entries (auto FDO[),]" ./*sort.c.*optimized ||
    fails "gcc: no function is entered $entries times"
exit $bad

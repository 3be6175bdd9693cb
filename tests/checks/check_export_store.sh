#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Exports the profile of a run from its store, with call stacks, handlers and control transfers, and compares what each
# tool shows with the run's report: totals are those of the oracle, costs with callees the same in all tools.
# A tool that is not installed is named, and its comparison left out.
# usage: check_export_store.sh BUILD
set -eu
# shellcheck source=export/lib.sh
. "$(dirname "$0")/export/lib.sh"
cd "$tmp"

has() {
    command -v "$1" > /dev/null && return
    echo "check_export_store.sh: $1 is not installed: what it is for is not compared"
    return 1
}
# near WHAT A B: they differ by 3 at most, because numbers are rounded
near() { [ $((($2 - ${3:-0}) / 4)) = 0 ] || fails "$1: expected $2, found $3"; }
# to FORMAT FILE [OPTION...]
to() {
    format=$1 file=$2
    shift 2
    pcprof export runs.db --to "$format" -o "$file" "$@"
}

riscv64-linux-gnu-objcopy --wildcard --strip-symbol='$*' "$build/workloads/sort" sort
pcasm -o value.pc "$root/programs/value.pasm"
pcemu --program value.pc --profile oracle,tip,counts,paths --stacks --collect runs.db --top 0 --format json \
    -o report.json ./sort 12 > out
cycles=$(jq .cycles report.json)
handler=$(jq '.time.stack[] | select(.category == "handler") | .cycles' report.json)
# the time of a function with its callees: of the folded stacks that contain it
to folded stacks.folded
inclusive() { sed 's/^/;/; s/ \([0-9]*\)$/; \1/' stacks.folded | grep -F ";$1;" | awk '{ sum += $NF } END { print sum }'; }
same 'folded' "$cycles" "$(awk '{ sum += $NF } END { print sum }' stacks.folded)"
same 'folded, handler' "$handler" "$(awk '$1 == "[handler]" { print $2 }' stacks.folded)"
main=$(inclusive main) sorting=$(inclusive quicksort)

if has perf; then
    to perf perf.data
    perf report --stdio --no-children -g none -i perf.data --show-total-period > perf.out 2> perf.err
    same 'perf report, handler' "$handler" "$(awk '$4 == "[handler]" { print $2 }' perf.out)"
    perf report --stdio --children -g none -i perf.data -F overhead_children,period,sym > perf.out 2>> perf.err
    grep -q "Event count (approx.): $cycles\$" perf.out || fails "perf report: no event of $cycles cycles"
    same 'perf report, first event' cycles "$(sed -n "s/.* of event '\([^ ']*\).*/\1/p" perf.out | head -n 1)"
    same 'perf script' "$cycles" "$(perf script -F event,period -i perf.data 2>> perf.err |
        awk '$2 ~ /^cycles/ { sum += $1 } END { print sum }')"
    perf report --header-only -i perf.data > perf.out 2>> perf.err
    grep -q '^# cmdline : ./sort 12 *$' perf.out || fails "perf report: no command line of the guest"
    same 'perf report, kinds of samples' 1 \
        "$(sed -n 's/.* sample_type = \([A-Z|_]*\),.*/\1/p' perf.out | sort -u | grep -c .)"
    perf script --show-mmap-events -i perf.data 2>> perf.err | grep -q "$tmp/sort\$" ||
        fails 'perf script: the path of the program is not absolute'
    # All events with stacks are a sample for each stack and event; the tool is still quick.
    to perf perf.data --event all
    perf report --stdio --no-children -g none -i perf.data > perf.out 2>> perf.err
    for event in cycles retired dcache-miss; do
        grep -q "Samples: .* of event '$event" perf.out || fails "perf report: no event $event"
    done
    ! grep -vE '^$' perf.err >&2 || fails 'perf has printed errors'
fi
if has go; then
    to pprof profile.pb.gz
    go tool pprof -top -nodefraction=0 -edgefraction=0 profile.pb.gz > pprof.out 2> pprof.err
    grep -q '^Type: cycles (oracle)$' pprof.out || fails 'pprof: time is not the default'
    grep -q '^File: sort$' pprof.out || fails 'pprof: the program is not the first mapping'
    grep -q '^\./sort 12$' pprof.out || fails 'pprof: no command line of the guest'
    same 'pprof, total' "${cycles}cycles" "$(sed -n 's/.* of \([0-9a-z]*\) total$/\1/p' pprof.out)"
    same 'pprof, handler' "${handler}cycles" "$(awk '$NF == "[handler]" { print $1 }' pprof.out)"
    near 'pprof, quicksort' "$sorting" "$(awk '$6 == "quicksort" { sub("cycles", "", $4); print $4 }' pprof.out)"
    go tool pprof -top -sample_index=retired profile.pb.gz > pprof.out 2> pprof.err
    same 'pprof, retired' "$(jq .instructions report.json)instructions" \
        "$(sed -n 's/.* of \([0-9a-z]*\) total$/\1/p' pprof.out)"
    go tool pprof -tags profile.pb.gz > pprof.out 2> pprof.err
    grep -q '^ *run: Total' pprof.out || fails 'pprof: no label of the run'
fi
if has callgrind_annotate; then
    to callgrind callgrind.out
    callgrind_annotate --threshold=100 callgrind.out | tr -d , > callgrind.txt
    same 'callgrind_annotate, events' 'Events shown:     cycles_oracle' "$(grep '^Events shown' callgrind.txt)"
    same 'callgrind_annotate, total' "$cycles" "$(awk '/PROGRAM TOTALS/ { print $1 }' callgrind.txt)"
    same 'callgrind_annotate, handler' "$handler" "$(awk '/:\[handler\]/ { print $1 }' callgrind.txt)"
    callgrind_annotate --threshold=100 --inclusive=yes callgrind.out | tr -d , > callgrind.txt
    near 'callgrind_annotate, main with callees' "$main" "$(awk '/:main \[sort\]/ { print $1 }' callgrind.txt)"
    near 'callgrind_annotate, quicksort with callees' "$sorting" \
        "$(awk '/:quicksort \[sort\]/ { print $1 }' callgrind.txt)"
fi
if has lcov; then
    # The counts of a build that counts for itself, on this machine: of the lines that both have, of all functions, and
    # of branches, whose directions are those of the compiled code.
    cp "$root/tests/eval/export/branches.c" .
    riscv64-linux-gnu-gcc -O0 -g -static -o branches branches.c
    pcemu --no-program --profile counts --collect branches.db -o out ./branches 9 > guest.out
    pcprof export --to lcov -o branches.info branches.db
    gcc -O0 --coverage -o native branches.c
    ./native 9 > native.out
    lcov -q -c -d . -o native.info --rc lcov_branch_coverage=1 2> lcov.err
    for of in branches native; do
        grep '^FNDA' $of.info | sort > $of.functions
        sed -n 's/^BRDA:.*,//p' $of.info | sort > $of.branches
        grep '^DA' $of.info | sort > $of.lines
        sed 's/,.*//' $of.lines > $of.numbers
    done
    same 'lcov, functions' "$(cat native.functions)" "$(cat branches.functions)"
    same 'lcov, branches' "$(cat native.branches)" "$(cat branches.branches)"
    both=$(comm -12 native.numbers branches.numbers | grep -c .)
    equal=$(comm -12 native.lines branches.lines | grep -c .)
    same 'lcov, lines' "$both" "$equal"
    [ "$both" -ge 12 ] || fails "lcov: expected 12 lines or more, found $both"
    lcov --summary branches.info --rc lcov_branch_coverage=1 > lcov.out 2>&1
    grep -q 'functions..: 75.0% (3 of 4 functions)' lcov.out || fails 'lcov: 3 of 4 functions are executed'
    genhtml -q --branch-coverage -o pages branches.info > genhtml.out
    [ -n "$(find pages -name 'branches.c.gcov.html')" ] || fails 'genhtml: no page of the source'
    # A source in a folder below that of the compilation has a relative name in the line table: the sources are found
    # from another folder, too.
    mkdir -p parts elsewhere
    cp branches.c parts/
    riscv64-linux-gnu-gcc -O0 -g -static -o branches parts/branches.c
    rm -f branches.db
    pcemu --no-program --profile counts --collect branches.db -o out ./branches 9 > guest.out
    pcprof export --to lcov -o branches.info branches.db
    same 'lcov, source file' "$tmp/parts/branches.c" "$(sed -n 's/^SF://p' branches.info)"
    (cd elsewhere && genhtml -q -o pages ../branches.info > genhtml.out 2> genhtml.err) ||
        fails 'genhtml: sources are not found from another folder'
    [ -n "$(find elsewhere/pages -name 'branches.c.gcov.html')" ] || fails 'genhtml: no page from another folder'
fi
to speedscope speedscope.json
same 'speedscope, first profile' 'cycles (oracle)' "$(jq -r '.profiles[0].name' speedscope.json)"
same 'speedscope, total' "$cycles" "$(jq '.profiles[0].weights | add' speedscope.json)"
exit $bad

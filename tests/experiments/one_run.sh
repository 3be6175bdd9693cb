#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One run of an experiment: one_run.sh 'NAME OPTION... -- WORKLOAD [ARGUMENT...]', where a workload debian/PROGRAM is the region of a real program (see
# tests/debian/region.sh). Kept in $BUILD/experiments/runs; made only if the command is another than that of the run kept, or tools or program are
# newer. A run that fails leaves its messages, and fails the experiment.
set -eu
# shellcheck disable=SC2086 # a line of words
set -- $1
name=$1
shift
runs=${OUT:-$BUILD/experiments}/runs
newest=$BUILD/bin/pcemu
case $* in
*' debian/'*) newest=$BUILD/debian/programs/${*##* debian/}/made_by ;;
esac
if [ "$runs/$name.stats" -nt "$BUILD/bin/pcemu" ] && [ "$runs/$name.stats" -nt "$newest" ] &&
    [ "$(cat "$runs/$name.command" 2> /dev/null)" = "$*" ]; then
    exit 0
fi
rm -f "$runs/$name.command"
options=
while [ "$1" != -- ]; do
    options="$options $1"
    shift
done
shift
workload=$1
shift
fail() { echo "one_run.sh: $name: $1" >&2; cat "$runs/$name.err" >&2; exit 1; }
options_of_run="--format json -o $runs/$name.json --stats $runs/$name.stats $options"
case $workload in
debian/*)
    # shellcheck disable=SC2086
    INSTRUCTIONS=$(awk -v scale="$SCALE" 'BEGIN { printf "%d", 100e6 * scale }') \
        "$(dirname "$0")/../debian/region.sh" "$BUILD" "${workload#debian/}" $options_of_run > "$runs/$name.out" 2> "$runs/$name.err" ||
        fail "exit status $?" ;;
*)
    # A path as argument 0 would move the guest's stack.
    cd "$BUILD/workloads"
    # shellcheck disable=SC2086
    "$BUILD/bin/pcemu" $options_of_run "./$workload" "$@" > "$runs/$name.out" 2> "$runs/$name.err" || fail "exit status $?"
    grep -q ': ok$' "$runs/$name.out" || fail 'the workload does not say ok' ;;
esac
echo "$options -- $workload $*" | sed 's/^ //; s/ $//' > "$runs/$name.command"
echo "  run $name" >&2

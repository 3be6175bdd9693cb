#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One run of an experiment: one_run.sh 'NAME OPTION... -- WORKLOAD [ARGUMENT...]'. Kept in $BUILD/experiments/runs; made only if the command is
# another than that of the run kept, or the tools are newer. A run that fails leaves its messages, and fails the experiment.
set -eu
# shellcheck disable=SC2086 # a line of words
set -- $1
name=$1
shift
runs=${OUT:-$BUILD/experiments}/runs
if [ "$runs/$name.stats" -nt "$BUILD/bin/pcemu" ] && [ "$(cat "$runs/$name.command" 2> /dev/null)" = "$*" ]; then
    exit 0
fi
rm -f "$runs/$name.command"
options=
while [ "$1" != -- ]; do
    options="$options $1"
    shift
done
shift
# A path as argument 0 would move the guest's stack.
cd "$BUILD/workloads"
workload=$1
shift
# shellcheck disable=SC2086
"$BUILD/bin/pcemu" --format json -o "$runs/$name.json" --stats "$runs/$name.stats" $options "./$workload" "$@" \
    > "$runs/$name.out" 2> "$runs/$name.err" || { echo "one_run.sh: $name: exit status $?" >&2; cat "$runs/$name.err" >&2; exit 1; }
grep -q ': ok$' "$runs/$name.out" || { echo "one_run.sh: $name: the workload does not say ok" >&2; exit 1; }
echo "$options -- $workload $*" | sed 's/^ //; s/ $//' > "$runs/$name.command"
echo "  run $name" >&2

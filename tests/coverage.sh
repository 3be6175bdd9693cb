#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lines and branches that the tests run in BUILD have executed, by component; BUILD was made with COVERAGE=1.
#   coverage.sh BUILD COMPONENT...
# BUILD/coverage.json has the counts of each file. With HTML=yes BUILD/html/index.html shows those of each line.
set -eu
build=$1
shift
[ -n "$(find "$build/obj" -name '*.gcda' | head -n 1)" ] || { echo "coverage.sh: no test has run in $build" >&2;
    exit 2; }
html=
[ -z "${HTML:-}" ] || { mkdir -p "$build/html" && html="--html-details $build/html/index.html"; }
# shellcheck disable=SC2046,SC2086 # options, meant to be split
gcovr --root . --object-directory "$build" $(printf ' --filter %s/' "$@") --json-summary "$build/coverage.json" $html \
    "$build/obj" > "$build/gcovr.log" 2>&1 || { tail -n 20 "$build/gcovr.log" >&2; exit 1; }

# A file of tables (.def) is counted where it is included, hence by its own component.
printf '%-12s %8s %8s %10s %10s\n' component lines '' branches ''
for component in "$@" ''; do
    jq -r --arg name "${component:-all}" --arg prefix "${component:+$component/}" '
        def row(total; covered): (map(total) | add // 0) as $t | (map(covered) | add // 0) as $c |
            [$t, if $t == 0 then "-" else "\(1000 * $c / $t | round / 10)" end];
        [.files[] | select(.filename | startswith($prefix))] |
        [$name] + row(.line_total; .line_covered) + row(.branch_total; .branch_covered) | @tsv' "$build/coverage.json"
done | awk -F '\t' '{ printf "%-12s %8d %6.1f %% %10d %8.1f %%\n", $1, $2, $3, $4, $5 }'

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lines and branches that the tests run in BUILD have executed; BUILD was made with COVERAGE=1.
#   coverage.sh BUILD PAGE COMPONENT...
# Prints them by component. If PAGE is not empty, all tests have been run: prints the files below the goal (goals.txt)
# as well, writes the page, and fails if goals.txt has a reason for a file that is not below. BUILD/coverage.json has
# the counts of each line, BUILD/files.tsv the sums of each file. With HTML=yes BUILD/html/index.html shows each line.
set -eu
build=$1 page=$2
here=$(dirname "$0")
shift 2
[ -n "$(find "$build/obj" -name '*.gcda' -size +0 | head -n 1)" ] ||
    { echo "coverage.sh: no test has run in $build" >&2; exit 2; }
html=
[ -z "${HTML:-}" ] || { mkdir -p "$build/html" && html="--html-details $build/html/index.html"; }
# Counts of a function that is left by longjmp can be negative, which gcovr does not parse: it then skips the line.
# shellcheck disable=SC2046,SC2086 # options, meant to be split
gcovr --root . --object-directory "$build" $(printf ' --filter %s/' "$@") --gcov-ignore-parse-errors \
    --json "$build/coverage.json" $html "$build/obj" > "$build/gcovr.log" 2>&1 ||
    { tail -n 20 "$build/gcovr.log" >&2; exit 1; }

# A file of tables (.def) is counted where it is included, hence by its own component.
jq -r '.files[] | .file as $file | .lines[] | select((."gcovr/noncode" or ."gcovr/excluded") | not) |
    [$file, .line_number, .count, (.branches | map(.count) | join(","))] | @tsv' "$build/coverage.json" |
    LC_ALL=C sort -t "$(printf '\t')" -k 1,1 -k 2,2n | LC_ALL=C awk -f "$here/files.awk" > "$build/files.tsv"
[ -n "$page" ] || exec awk -v parts="$*" -f "$here/table.awk" "$here/goals.txt" "$build/files.tsv"
status=0
awk -v parts="$*" -v below=1 -f "$here/table.awk" "$here/goals.txt" "$build/files.tsv" || status=1
{
    awk -v parts="$*" -v page=1 -f "$here/table.awk" "$here/goals.txt" "$build/files.tsv" || true
    awk -v page=1 -f tests/guest/vectors/errors.awk tests/guest/vectors/errors.txt
} > "$page"
exit $status

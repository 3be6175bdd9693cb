#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Unit tests of the shipped programs: build/programs/PROGRAM.pc processes the samples in PROGRAM.NAME.samples, or the
# output of the script PROGRAM.NAME.gen, with the options in PROGRAM.NAME.options and, of
# pcasm, in PROGRAM.NAME.defines, if there are any. Report and statistics must equal PROGRAM.NAME.out. The JSON report must conform to the schema, and pcprof show must print it
# identically to the text report.
# With SCHEMA=no it is not validated, for sanitizers, whose builds print the same.
# usage: run_programs.sh BUILD
set -eu
build=$1 here=tests/golden/programs bad=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/reports"
for case in "$here"/*.samples "$here"/*.gen; do
    name=$(basename "${case%.*}")
    case $case in
    *.gen) sh "$case" > "$tmp/samples" ;;
    *) cp "$case" "$tmp/samples" ;;
    esac
    program=$build/programs/${name%%.*}.pc
    if [ -f "$here/$name.defines" ]; then
        program=$tmp/program
        xargs "$build/bin/pcasm" -o "$program" "programs/${name%%.*}.pasm" < "$here/$name.defines"
    fi
    options=$(cat "$here/$name.options" 2> /dev/null || true)
    # shellcheck disable=SC2086 # a list of options, meant to be split
    "$build/bin/pcemu" --core samples:- --program "$program" $options --top 12 --verbose -o "$tmp/report" \
        --stats "$tmp/stats" \
        < "$tmp/samples" > "$tmp/out" 2>&1 || echo "exit status $?" >> "$tmp/out"
    json=$tmp/reports/$name.json
    # shellcheck disable=SC2086
    "$build/bin/pcemu" --core samples:- --program "$program" $options --format json -o "$json" \
        < "$tmp/samples" > "$tmp/err" 2>&1 ||
        cat "$tmp/err"
    "$build/bin/pcprof" show --top 12 --verbose "$json" | cmp - "$tmp/report" ||
        { echo "$case: pcprof show prints another report" >&2; bad=1; }
    cat "$tmp/report" "$tmp/stats" >> "$tmp/out"
    if [ -n "${BLESS:-}" ]; then
        cp "$tmp/out" "$here/$name.out"
    elif ! diff -u "$here/$name.out" "$tmp/out"; then
        echo "$case: the report differs" >&2
        bad=1
    fi
    find "$tmp" -maxdepth 1 -type f -delete
done
[ "${SCHEMA:-yes}" = no ] || tests/checks/check_schema.sh "$tmp"/reports/*.json || bad=1
exit $bad

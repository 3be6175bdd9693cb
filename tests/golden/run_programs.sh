#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Unit tests of the shipped programs: PROGRAM.NAME.samples runs over build/programs/PROGRAM.pc, and the report must be
# PROGRAM.NAME.out. usage: run_programs.sh BUILD
set -eu
build=$1 here=tests/golden/programs bad=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for samples in "$here"/*.samples; do
    name=$(basename "$samples" .samples) program=${samples##*/}
    program=${program%%.*}
    "$build/bin/pcemu" --core "samples:$samples" --program "$build/programs/$program.pc" --top 0 -o "$tmp/report" --stats "$tmp/stats" \
        > "$tmp/out" 2>&1 || echo "exit status $?" >> "$tmp/out"
    cat "$tmp/report" "$tmp/stats" >> "$tmp/out" 2>/dev/null || true
    if [ -n "${BLESS:-}" ]; then
        cp "$tmp/out" "$here/$name.out"
    elif ! diff -u "$here/$name.out" "$tmp/out"; then
        echo "$samples: the report differs" >&2
        bad=1
    fi
    rm -f "$tmp"/*
done
exit $bad

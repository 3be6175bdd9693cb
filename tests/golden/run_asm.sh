#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Golden tests of the assembler and disassembler: run_asm.sh BUILD_BIN_DIR
#
# A folder of asm/ holds the cases of a subject. FOLDER/NAME.pasm is assembled in its folder, with the options in
# NAME.args, if that file exists. If NAME.lst exists, the assembler must succeed with that listing, and assembling the
# disassembly must give an image with the same disassembly. Otherwise the assembler must fail with status 2 and write no
# image. Its messages must equal NAME.err, or be empty without that file. cost/NAME.txt and NAME.json are the output of
# --cost for NAME.pasm of any folder, or for the shipped program of that name. Shipped programs assemble without
# warnings. BLESS=1 rewrites the expected files.
set -u
bin=$(cd "$1" && pwd) || exit 2
cd "$(dirname "$0")/asm" || exit 2
fixtures=$(pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cases=0 failures=0

fail() {
    echo "run_asm.sh: $1" >&2
    failures=$((failures + 1))
}

# compare EXPECTED FOUND: a missing expected file counts as empty
compare() {
    if [ "${BLESS:-}" = 1 ]; then
        if [ -s "$2" ]; then cp "$2" "$1"; else rm -f "$1"; fi
    elif [ -e "$1" ] || [ -s "$2" ]; then
        [ -e "$1" ] || { fail "$1 does not exist"; cat "$2" >&2; return; }
        diff -u "$1" "$2" >&2 || fail "$1 differs"
    fi
}

without_comments() { sed 's/ *;.*//' "$1"; }

for source in "$fixtures"/*/*.pasm; do
    [ -e "$source" ] || { echo "run_asm.sh: no fixtures" >&2; exit 2; }
    cd "${source%/*}" || exit 2
    source=${source##*/}
    name=${source%.pasm}
    cases=$((cases + 1))
    args=
    [ -e "$name.args" ] && args=$(cat "$name.args")
    rm -f "$work"/*
    # shellcheck disable=SC2086 # several options
    NO_COLOR=1 "$bin/pcasm" $args -o "$work/pc.out" -l "$work/lst" "$source" 2>"$work/err" </dev/null
    status=$?
    : >>"$work/lst"
    compare "$name.err" "$work/err"
    compare "$name.lst" "$work/lst"
    if [ -e "$name.lst" ]; then
        [ $status -eq 0 ] || { fail "$name: exit status $status, expected 0"; continue; }
        "$bin/pcdis" "$work/pc.out" >"$work/one.pasm" || fail "$name: not disassembled"
        "$bin/pcasm" -o "$work/two.out" "$work/one.pasm" 2>"$work/again" ||
            fail "$name: its disassembly does not assemble: $(cat "$work/again")"
        "$bin/pcdis" "$work/two.out" >"$work/two.pasm" || fail "$name: not disassembled again"
        without_comments "$work/one.pasm" >"$work/one.bare"
        without_comments "$work/two.pasm" >"$work/two.bare"
        cmp "$work/one.bare" "$work/two.bare" || fail "$name: its disassembly is another program"
    else
        [ $status -eq 2 ] || fail "$name: exit status $status, expected 2"
        [ -s "$work/err" ] || fail "$name: failed without a message"
        [ -e "$work/pc.out" ] && fail "$name: an image in spite of errors"
    fi
done
cd "$fixtures" || exit 2

# An expected file without a source would never be compared.
for expected in */*.err */*.lst */*.args; do
    [ -e "$expected" ] && [ ! -e "${expected%.*}.pasm" ] && fail "$expected has no source"
done

for expected in cost/*.txt cost/*.json; do
    name=$(basename "${expected%.*}") format=${expected##*.}
    source=$(find . -name "$name.pasm")
    [ -n "$source" ] || source=../../../programs/$name.pasm
    cases=$((cases + 1))
    "$bin/pcasm" "--cost=$(echo "$format" | sed s/txt/text/)" -o "$work/pc.out" "$source" >"$work/cost" 2>"$work/err" ||
        fail "$expected: $(cat "$work/err")"
    compare "$expected" "$work/cost"
done
for source in ../../../programs/*.pasm; do
    "$bin/pcasm" -W error -o "$work/pc.out" "$source" 2>"$work/err" || fail "$source: $(cat "$work/err")"
done
./cli.sh "$bin" || failures=$((failures + 1))
echo "run_asm.sh: $cases cases, $failures failures"
[ $failures -eq 0 ]

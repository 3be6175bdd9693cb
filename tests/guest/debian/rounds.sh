#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs each case that has programs with several threads ROUNDS times on the functional core, each time with another
# seed, so that the threads take turns in another order, and compares standard output, exit status and remaining files
# with those under qemu-riscv64.
#   rounds.sh [BUILD [DIRECTORY [CASE...]]]
set -eu

build=$(cd "${1:-build}" && pwd)
dir=${2:-$build/debian}
if [ $# -gt 2 ]; then shift 2; else set --; fi
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
rounds=${ROUNDS:-20}

"$here/get.sh" "$dir" || { echo "debian threads: skipped: the packages could not be fetched"; exit 0; }
root=$(cd "$dir" && pwd)/root
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
# shellcheck disable=SC2046 # names, meant to be split
[ $# -gt 0 ] || set -- $(grep -l '^# threads: .' "$here"/cases/*.sh)

differ=0 programs=0
for case in "$@"; do
    [ -r "$case" ] || { echo "rounds.sh: no case $case" >&2; exit 2; }
    name=$(basename "$case" .sh) same=0
    run_want "$case" "$work/want"
    for round in $(seq "$rounds"); do
        run_once "$case" "$work/got" "$(on_pcemu "$root" --core functional --no-program --seed "$round")"
        found=$(compare "$case" "$work/want" "$work/got")
        if [ "$found" = same ]; then
            same=$((same + 1))
        else
            echo "$name, seed $round: $found"
        fi
        rm -rf "$work/got"
    done
    rm -rf "$work/want"
    printf '%-24s %d of %d rounds same\n' "$name" "$same" "$rounds"
    [ "$same" -eq "$rounds" ] || differ=$((differ + 1))
    programs=$((programs + $(sed -n 's/^# threads: //p' "$case" | wc -w)))
done
echo "debian threads: $programs programs, $# cases, $differ differ"
[ $# -gt 0 ] && [ "$differ" -eq 0 ]

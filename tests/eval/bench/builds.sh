#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Speed of several builds of pcemu relative to the first, measured in interleaved runs: geometric means over the
# workloads of mixes.sh, for each set of observers.
#   builds.sh BUILD BUILD...            ROUNDS is the number of rounds (3), CONFIG the core (tests/eval/bench/sim4.conf)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
config=${CONFIG:-$here/sim4.conf}
build=$(cd "$1" && pwd)
. "$here/mixes.sh"
. "$here/turns.sh"
pcemus=
for b; do
    [ -x "$b/bin/pcemu" ] || { echo "builds.sh: no $b/bin/pcemu: build it first" >&2; exit 2; }
    pcemus="$pcemus $(cd "$b" && pwd)/bin/pcemu"
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$build/workloads"

echo "Speed relative to the first of: $*"
for observers in --no-program '--no-program --profile oracle,tip' \
    "--program $build/programs/value.pc --profile oracle,tip"; do
    echo "$mixes" | while read -r _ skip words; do
        for pcemu in $pcemus; do
            echo "$(core_command "$skip" --config "$config" "$observers") ./$words > /dev/null"
        done
    done > "$tmp/commands"
    turns "${ROUNDS:-3}" < "$tmp/commands" > "$tmp/seconds"
    awk -v builds=$# -v name="$observers" '
        { b = (NR - 1) % builds; if (b == 0) first = $1; logs[b] += log(first / $1) }
        END { for (b = 0; b < builds; b++) printf " %6.3f", exp(logs[b] / (NR / builds)); print "  " name }
        ' "$tmp/seconds"
done

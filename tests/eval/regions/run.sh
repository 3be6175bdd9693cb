#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether the intervals of pcsweep estimate hold: Debian's programs of tests/eval/bench/real, in full on the
# out-of-order core, and estimated with each of three seeds. Prints the data behind docs/results/regions.md, a line for
# each estimate: program, seed, instructions, cycles, the estimate of the cycles with its bounds, units, strata,
# instructions simulated in detail, instructions warmed. OUT/profiles.tsv has those of profile.sh: how often the
# intervals of shares hold, and the hottest rows.
#   run.sh [BUILD [NAME...]]                 NAME: these programs alone
# The packages are fetched once, into FOLDER (BUILD/real). Results are kept in OUT (BUILD/regions), and a result that is
# newer than pcemu is not made again. PRECISION (3) in per cent, SEEDS (1 2 3).
set -eu

build=$(cd "${1:-build}" && pwd)
if [ $# -gt 1 ]; then shift; else set --; fi
own=$(cd "$(dirname "$0")" && pwd)
here=$own/../bench/real
# shellcheck source=../bench/real/lib.sh
. "$here/lib.sh"
mkdir -p "${FOLDER:=$build/real}" "${OUT:=$build/regions}"
folder=$(cd "$FOLDER" && pwd) out=$(cd "$OUT" && pwd)
: "${PRECISION:=3}" "${SEEDS:=1 2 3}"
programs=$(grep -v '^#' "$here/programs")
# Those of about 10^8 instructions, which can be simulated in full.
names=${*:-z3 lame m4 sort gzip zsh bzip2}
real_fetch "$folder" "$programs" || { echo 'regions/run.sh: the packages could not be fetched' >&2; exit 1; }
[ "${PIECE:-no}" = yes ] || { rm -rf "$out/work" && real_inputs "$folder" "$out"; }

# shellcheck disable=SC2034 # used by the command of estimate
profilers=oracle,tip:period=101:random

# truth NAME: the statistics of the full run
truth() {
    real_fresh "$out/$1.truth" || {
        real_guest "$1" --no-program --format json --stats "$out/$1.part" 2> "$out/$1.err"
        mv "$out/$1.part" "$out/$1.truth"
    }
}

# profile NAME: the exact profile of the full run
profile() {
    real_fresh "$out/$1.exact" || {
        real_guest "$1" --no-program --profile oracle --format json -o "$out/$1.part" 2> "$out/$1.err"
        mv "$out/$1.part" "$out/$1.exact"
    }
}

# estimate NAME SEED: the report of an estimate
estimate() {
    ! real_fresh "$out/$1.$2.json" || return 0
    line=$(real_command "$(printf '%s\n' "$programs" | sed -n "s/^$1 *|[^|]*| *//p")")
    environment=
    # shellcheck disable=SC2154 # of the other lib.sh
    for word in $guest_environment; do environment="$environment -E $word"; done
    (cd "$out/work" && eval "exec \"\$build/bin/pcsweep\" estimate --precision \$PRECISION --seed $2 --jobs 1 \
        --profile \$profilers --format json -- -L \"\$folder/root\" $environment $line") \
        > "$out/$1.$2.part" 2> "$out/$1.err"
    mv "$out/$1.$2.part" "$out/$1.$2.json"
}

if [ "${PIECE:-no}" = yes ]; then
    for name in $names; do
        truth "$name"
        profile "$name"
        for seed in $SEEDS; do estimate "$name" "$seed"; done
        echo "  $name: done" >&2
    done
    exit
fi
export FOLDER="$folder" OUT="$out" PRECISION SEEDS
# shellcheck disable=SC2086 # names, meant to be split
real_pieces "$0" $names
for name in $names; do
    for seed in $SEEDS; do
        jq -r --arg name "$name" --arg seed "$seed" --slurpfile truth "$out/$name.truth" '
            [$name, $seed, .instructions, $truth[0].core.cycles,
             ((.cycles, .cycles_interval[0], .cycles_interval[1]) | round), .chosen, (.strata | length),
             .detailed_instructions, .warmed_instructions] |
            @tsv' "$out/$name.$seed.json"
    done
done
for name in $names; do
    for seed in $SEEDS; do
        "$own/profile.sh" "$name" "$seed" "$out/$name.$seed.json" "$out/$name.exact" "$out/$name.truth"
    done
done > "$out/profiles.tsv"

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A change of a source that a profile suggests: memdep.pasm finds that the two most frequent dependences of
# tests/workloads/biquad.c are a filter's state that goes through memory, in the function `run`, and that the core forwards
# them. With the state in local variables (`biquad PASSES local`) the dependences are gone and the model takes fewer
# cycles, on each core. usage: check_change.sh BUILD
set -eu
build=$(cd "$1" && pwd) programs=$(cd "$(dirname "$0")/../programs" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$build/bin/pcasm" -o "$tmp/memdep.pc" "$programs/memdep.pasm"
"$build/bin/pcasm" -D FORWARDED=1 -o "$tmp/forwarded.pc" "$programs/memdep.pasm"
# A path as argument 0 would move the guest's stack.
cd "$build/workloads"

# fails TEXT
fails() { echo "check_change.sh: $*" >&2; exit 1; }

# dependences PROGRAM [ARGUMENT]: the function of load and store of the dependences of which the program found 1000 or more
dependences() {
    program=$1
    shift
    "$build/bin/pcemu" --program "$tmp/$program.pc" --format json -o "$tmp/report" ./biquad 60 "$@" > "$tmp/out" ||
        fails "biquad 60 $*: exit status $?"
    jq -r '.layouts[0].rows[] | select(.members.loads >= 1000)
        | [.key.function, .members.store.function, (.members.forwarded // 0) * 2 > .members.loads] | join(" ")' "$tmp/report"
}

cycles() {
    "$build/bin/pcemu" --config "$1" --no-program --format json --stats "$tmp/stats" ./biquad 60 $2 > "$tmp/out" ||
        fails "biquad 60 $2: exit status $?"
    jq .core.cycles "$tmp/stats"
}

[ "$(dependences memdep | cut -d' ' -f1,2)" = "$(printf 'run run\nrun run')" ] || fails "memdep.pasm does not find the two dependences of biquad"
[ "$(dependences forwarded)" = "$(printf 'run run true\nrun run true')" ] || fails "the dependences of biquad are not forwarded"
[ -z "$(dependences memdep local)" ] || fails "biquad 60 local has frequent dependences"
for config in boom ev6 ev5; do
    plain=$(cycles $config '') local=$(cycles $config local)
    [ "$local" -lt "$plain" ] || fails "on $config: $local cycles with local variables, $plain without"
    echo "$config: biquad takes $plain cycles, $local with its state in local variables"
done

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random machines: the project's workloads on random configurations of the out-of-order core, each with memoised states,
# without them, and (one in four) with --check. Output, report and statistics must be the same, and no run may fail. A
# machine that is too small for the program is skipped.
#   machines.sh [BUILD [MACHINES [SEED]]]       default: build, 10 machines, seed 1
# Prints a command for each difference. Exit status 1 if there is one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
machines=${2:-10} seed=${3:-1}
case $machines in
'' | *[!0-9]*)
    echo "machines.sh: expected a number of machines, found '$machines'" >&2
    exit 2
    ;;
esac
pcemu=$build/bin/pcemu
guests=$(cd "$build/workloads" && printf '%s|' *)
guests=${guests%|}
base='' keys='' guest='' observers='' skip='' insts='' # of the machine: see draw
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
bad=0 small=0

# draw SEED: prints shell assignments of a machine: base, keys (words KEY=VALUE), guest, observers, skip, insts
draw() {
    "$pcemu" --dump-config |
        awk -v seed="$1" -v guests="$guests" -v programs="$build/programs" -v sim4="$here/../eval/bench/sim4.conf" '
        function below(n) { return int(rand() * n) }
        function pick(text,   words) { return words[1 + below(split(text, words, "|"))] }
        # Most values are near the least or the default one: extreme machines are slow, and all alike.
        function number(least, most, otherwise, is_power,   n, top) {
            if (is_power) {
                for (n = 1; n < least; n *= 2);
                for (top = below(14); top > 0 && n * 2 <= most; top--)
                    n *= 2
                return n
            }
            top = pick("8|64|" 2 * otherwise)
            return least + below((least + top > most ? most - least : top) + 1)
        }
        /^[a-z]/ && $1 != "core" {
            unit = $0
            sub(/^.*; /, "", unit)
            value[++keys] = unit
            name[keys] = $1; otherwise[keys] = $3; is_power[keys] = /a power of two/
        }
        END {
            srand(seed)
            printf "base=%s\nkeys=\"", pick("boom|ev6|" sim4 "|" sim4)
            if (below(4) == 0) # what no machine has by default
                printf "page_fault_cycles=%d timer_cycles=%d ", 1 + below(300), below(300)
            for (n = 1 + below(14); n > 0; n--) {
                k = 1 + below(keys)
                if (match(value[k], /-?[0-9]+ to [0-9]+$/)) {
                    split(substr(value[k], RSTART), range, " to ")
                    drawn = number(range[1] + 0, range[2] + 0, otherwise[k], is_power[k])
                } else
                    drawn = pick(value[k])
                printf "%s=%s ", name[k], drawn
            }
            printf "\"\nguest=%s\n", pick(guests)
            program = "--program " programs "/value.pc"
            printf "observers=\"%s\"\n", pick("--no-program|--no-program --profile oracle,tip,ipc|" program "|" \
                program " --profile oracle,tip,nci,lci,profileme,counts")
            printf "skip=%s\ninsts=%s\n", pick("0|200000|1000000"), pick("50000|150000")
        }'
}

# valid KEY=VALUE...: prints --set options of those that are valid together with those before them
valid() {
    sets=
    for key; do
        # shellcheck disable=SC2086 # options, meant to be split
        if "$pcemu" --config "$base" $sets --set "$key" --dump-config > "$tmp/dump" 2>&1; then
            sets="$sets --set $key"
        fi
    done
    echo "$sets"
}

# run NAME OPTION...: the machine's run, whose results are in files NAME.*; prints its exit status
run() {
    name=$1
    shift
    status=0
    # shellcheck disable=SC2086 # options, meant to be split
    timeout 300 "$pcemu" --config "$base" $sets $observers --skip-insts "$skip" --max-insts "$insts" --format json \
        --stats "$tmp/$name.stats" -o "$tmp/$name.report" "$@" "$build/workloads/$guest" \
        > "$tmp/$name.out" 2> "$tmp/$name.err" || status=$?
    echo "$status"
}

# complain WHAT OPTION...
complain() {
    what=$1
    shift
    bad=1
    echo "$what: pcemu --config $base $sets $observers --skip-insts $skip --max-insts $insts $* $guest"
    tail -n 1 "$tmp/other.err"
}

# compare OPTION...: another run of the machine, which must be as that without options
compare() {
    other=$(run other "$@")
    if [ "$other" != "$first" ]; then
        complain "exit status $first, and $other with $1" "$@"
        return
    fi
    for part in out report stats; do
        cmp -s "$tmp/first.$part" "$tmp/other.$part" || complain "$part differs with $1" "$@"
    done
}

n=0
while [ "$n" -lt "$machines" ]; do
    [ ! -t 2 ] || printf '\r\033[Kmachine %d of %d' $((n + 1)) "$machines" >&2
    eval "$(draw $((seed + n)))"
    # shellcheck disable=SC2086 # words
    sets=$(valid $keys)
    rm -f "$tmp"/first.* "$tmp"/other.*
    first=$(run first)
    cp "$tmp/first.err" "$tmp/other.err"
    case $first in
    0)
        compare --memo 0
        [ $((n % 4)) -ne 0 ] || compare --check
        ;;
    2) small=$((small + 1)) ;; # the program needs another machine
    *) complain "exit status $first" ;;
    esac
    n=$((n + 1))
done
[ ! -t 2 ] || printf '\r\033[K' >&2
echo "machines.sh: $machines machines from seed $seed on, $small of them too small for the program"
if [ $((4 * small)) -gt "$machines" ]; then # pcemu refuses something else
    echo "machines.sh: so many are not by chance; the last run: $(tail -n 1 "$tmp/first.err")" >&2
    bad=1
fi
exit "$bad"

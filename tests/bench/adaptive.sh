#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page docs/results/adaptive.md: error and overhead of value.pasm and of simple sampling, over recorded samples of
# regions of Debian's programs and of workloads, with SEEDS (default 5) seeds each, and on the core.
#   adaptive.sh BUILD     REAL=no: the workloads alone
# Recordings are kept in BUILD/samples.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
BUILD=$(cd "$1" && pwd)
seeds=$(seq "${SEEDS:-5}")
out=$BUILD/samples
processors=$(getconf _NPROCESSORS_ONLN)
mkdir -p "$out"
export BUILD out here

programs='gcc perl parser bzip2 gap mcf crafty gzip'
percents='20 50 80'
on_core='gcc@20 gcc@50 perl@20 perl@50 parser@50 bzip2@50 gap@50 gzip@50'
workloads='bitboard=116 compiler=60 compress=512 coremix=300 glacial=760000_19 interp=40 sort=20'
if [ "${REAL:=yes}" = yes ] && ! "$here/../debian/get.sh" "$BUILD/debian" >&2; then REAL=no; fi
[ "$REAL" = yes ] || programs='' on_core=''
regions=$(for p in $programs; do for at in $percents; do echo "$p@$at"; done; done)
show() { echo "  $*" >&2; }

# run REGION OPTION...: on the core
run() {
    region=$1
    shift
    case $region in
    *=*)
        arguments=${region#*=}
        cd "$BUILD/workloads"
        # shellcheck disable=SC2046 # arguments, meant to be split
        "$BUILD/bin/pcemu" --config ev6 --max-insts 60M "$@" "./${region%%=*}" $(echo "$arguments" | tr _ ' ') > "$out/guest.out" ;;
    *) "$here/../debian/region.sh" "$BUILD" "$region" --config ev6 "$@" > "$out/guest.out" ;;
    esac
}

# Subcommands, run in parallel.
case ${2:-} in
record)
    [ -z "$(find "$out" -name "$3.rec" -newer "$BUILD/bin/pcemu")" ] || exit 0
    show "recording $3"
    run "$3" --program "$BUILD/programs/simple.pc" --record-samples "$out/$3.rec"
    exit ;;
replay)
    to=$out/$3.$4.$5
    "$BUILD/bin/pcemu" --core "samples:$out/$3.rec" --program "$BUILD/programs/$4.pc" --seed "$5" --format json \
        -o "$to.json" 2> "$to.err" || { cat "$to.err" >&2; exit 255; }
    jq -r --arg name "$3" --arg program "$4" '[$name, $program, 100 * .rms_error, 100 * .handler_cycles /
        (.cycles - .handler_cycles), .loads_profiled, .exact_loads, .interrupts] | @tsv' "$to.json" > "$to.row"
    rm "$to.json" "$to.err"
    exit ;;
core)
    case $4 in none) program=--no-program ;; *) program="--program $BUILD/programs/$4.pc" ;; esac
    show "on the core: $3, $4"
    # shellcheck disable=SC2086 # options
    run "$3" $program --format json -o "$out/$3.$4.core" --stats "$out/$3.$4.stats"
    exit ;;
esac

self=$here/$(basename "$0")
for r in $regions $workloads; do echo "$r"; done | xargs -P "$processors" -I '{}' "$self" "$BUILD" record '{}'
rm -f "$out"/*.row
show 'replaying'
for r in $regions $workloads; do for p in simple value; do for s in $seeds; do echo "$r $p $s"; done; done; done |
    xargs -P "$processors" -L 1 "$self" "$BUILD" replay
for r in $on_core; do for p in none simple value; do echo "$r $p"; done; done |
    xargs -P "$processors" -L 1 "$self" "$BUILD" core

cat << 'END'
# The adaptive value profile

[`value.pasm`](../programs/value.md) and simple sampling, one load in 1024 (`simple.pasm`), over the same loads.
One command writes this page:

```console
$ make experiments-adaptive
```

The regions have 100 M instructions, and begin after the given percentage of the instructions of the programs of
[the co-processor paper's experiments](coprocessor.md). Workloads are those of [workloads](../workloads.md), with
60 M instructions at most. The configuration is `ev6`.

Each region is [recorded](../recording.md#samples) once, and both programs run over its samples with the same seeds.
The error is the paper's (the weighted RMS error of the invariance), the overhead the time of the handlers relative to
the other time. Error and overhead are means over the seeds, with the standard deviation of the error behind ±. *Ratio*
is that of the means, and *worse* the number of seeds with which the adaptive profile has a larger error, or a larger
overhead, than simple sampling with the same seed.

END
echo "There are $(echo "$seeds" | wc -l) seeds."
echo
cat "$out"/*.row | awk -F '\t' '
{
    if (!($1 in seen)) { seen[$1] = 1; order[++regions] = $1 }
    i = ++n[$1, $2]
    e[$1, $2, i] = $3; o[$1, $2, i] = $4
    es[$1, $2] += $3; eq[$1, $2] += $3 * $3; os[$1, $2] += $4; l[$1, $2] += $5; all[$1] = $6
}
function spread(r, p) {
    m = es[r, p] / n[r, p]
    v = eq[r, p] / n[r, p] - m * m
    return n[r, p] > 1 ? sqrt((v > 0 ? v : 0) * n[r, p] / (n[r, p] - 1)) : 0
}
END {
    print "| region | loads | sampled: simple | adaptive | error %: simple | adaptive | ratio | worse | overhead %: simple | adaptive | ratio | worse |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|"
    for (k = 1; k <= regions; k++) {
        r = order[k]; s = n[r, "simple"]; be = bo = 0
        for (i = 1; i <= s; i++) {
            be += e[r, "value", i] > e[r, "simple", i]
            bo += o[r, "value", i] > o[r, "simple", i]
        }
        re = es[r, "simple"] > 0 ? es[r, "value"] / es[r, "simple"] : 1; ro = os[r, "value"] / os[r, "simple"]
        le += log(re); lo += log(ro); te += be; to += bo; runs += s
        if (re > me) me = re
        if (ro > mo) mo = ro
        name = r; sub(/@/, " at ", name); sub(/=/, " ", name); sub(/_/, " ", name)
        printf "| %s%s | %d | %d | %d | %.2f ± %.2f | %.2f ± %.2f | %.2f | %d | %.3f | %.3f | %.2f | %d |\n", name, (r ~ /@/ ? " %" : ""),
            all[r], l[r, "simple"] / s, l[r, "value"] / s, es[r, "simple"] / s, spread(r, "simple"),
            es[r, "value"] / s, spread(r, "value"), re, be, os[r, "simple"] / s, os[r, "value"] / s, ro, bo
    }
    printf "\nGeometric means of the ratios: error %.2f, overhead %.2f; largest: %.2f, %.2f.\nOf %d runs, %d have a larger error and %d a larger overhead than simple sampling.\n",
        exp(le / regions), exp(lo / regions), me, mo, runs, te, to
}'
[ -n "$on_core" ] || exit 0
cat << 'END'

## On the core

The same with the programs on the core, seed 1: the overhead is the slowdown, with the cycles after each interrupt in
which the pipeline fills again.

| region | error %: simple | adaptive | ratio | slowdown %: simple | adaptive | ratio |
|---|---|---|---|---|---|---|
END
for r in $on_core; do
    jq -rs --arg name "$(echo "$r" | sed 's/@/ at /') %" 'def two: . * 100 | round / 100; def three: . * 1000 | round / 1000;
        (.[0].core.cycles) as $none | (.[1].cycles / $none - 1) as $s | (.[2].cycles / $none - 1) as $a |
        "| \($name) | \(100 * .[1].rms_error | two) | \(100 * .[2].rms_error | two) | \(.[2].rms_error / .[1].rms_error | two) | \(100 * $s | three) | \(100 * $a | three) | \($a / $s | two) |"' \
        "$out/$r.none.stats" "$out/$r.simple.core" "$out/$r.value.core"
done

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page docs/results/adaptive.md: error and overhead of value.pasm, of value-paper.pasm and of simple sampling, over
# recorded samples of regions of Debian's programs and of workloads, with SEEDS (default 5) seeds each, and on the core.
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
    case $4 in value-paper) drops='--set cop_early_drop=no' ;; *) drops='' ;; esac
    # shellcheck disable=SC2086 # options
    "$BUILD/bin/pcemu" --core "samples:$out/$3.rec" --program "$BUILD/programs/$4.pc" --seed "$5" $drops \
        --format json -o "$to.json" 2> "$to.err" || { cat "$to.err" >&2; exit 255; }
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
for r in $regions $workloads; do
    for p in simple value value-paper; do for s in $seeds; do echo "$r $p $s"; done; done
done |
    xargs -P "$processors" -L 1 "$self" "$BUILD" replay
for r in $on_core; do for p in none simple value; do echo "$r $p"; done; done |
    xargs -P "$processors" -L 1 "$self" "$BUILD" core

cat << 'END'
# The adaptive value profile

[`value.pasm`](../programs/value.md), [`value-paper.pasm`](../programs/value-paper.md) and simple sampling, one load in
1024 (`simple.pasm`), over the same loads. One command writes this page:

```console
$ make experiments-adaptive
```

The regions are a systematic sample of each run: 100 M instructions after each of the given percentages of the
instructions of the programs of [the co-processor paper's experiments](coprocessor.md). Workloads are those of
[workloads](../workloads.md), with 60 M instructions at most. The configuration is `ev6`; `value-paper` has tail drop.

Each region is [recorded](../recording.md#samples) once, and the programs run over its samples with the same seeds. The
error is the paper's (the weighted RMS error of the invariance), the overhead the time of the handlers relative to the
other time. Error and overhead are means over the seeds, with half of the 95 % interval of the mean error (Student's t)
behind ±. *Ratio* is that of the means to those of simple sampling, and *worse* the number of seeds with which `value`
has a larger error, or a larger overhead, than simple sampling with the same seed. Means of ratios are geometric: over
the regions of each program, and then over programs.

END
echo "There are $(echo "$seeds" | wc -l) seeds."
echo
cat "$out"/*.row | awk -F '\t' '
{
    if (!($1 in seen)) { seen[$1] = 1; order[++regions] = $1 }
    i = ++n[$1, $2]
    e[$1, $2, i] = $3; o[$1, $2, i] = $4
    es[$1, $2] += $3; eq[$1, $2] += $3 * $3; os[$1, $2] += $4; all[$1] = $6
}
function error(r, p,    m, v, k) {
    k = n[r, p]
    m = es[r, p] / k
    v = k > 1 ? (eq[r, p] - k * m * m) / (k - 1) : 0
    return sprintf("%.2f ± %.2f", m, t[k - 1] * sqrt((v > 0 ? v : 0) / k))
}
function overhead(r, p) { return sprintf("%.3f", os[r, p] / n[r, p]) }
function ratio(sum, r, p,    q) {
    q = sum[r, "simple"] > 0 ? sum[r, p] / n[r, p] / (sum[r, "simple"] / n[r, "simple"]) : 1
    return q > 0.0001 ? q : 0.0001
}
END {
    split("12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262", t, " ")
    print "| region | loads | error %: simple | paper | value | ratio: paper | value | worse | overhead %: simple | paper | value | ratio: paper | value | worse |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    for (k = 1; k <= regions; k++) {
        r = order[k]; s = n[r, "simple"]; be = bo = 0
        for (i = 1; i <= s; i++) {
            be += e[r, "value", i] > e[r, "simple", i]
            bo += o[r, "value", i] > o[r, "simple", i]
        }
        te += be; to += bo; runs += s
        name = r; sub(/@/, " at ", name); sub(/=/, " ", name); sub(/_/, " ", name)
        program = r; sub(/[@=].*/, "", program)
        if (!(program in parts)) programs[++count] = program
        parts[program]++
        pe = ratio(es, r, "value-paper"); ve = ratio(es, r, "value")
        po = ratio(os, r, "value-paper"); vo = ratio(os, r, "value")
        logs[program, 1] += log(pe); logs[program, 2] += log(ve)
        logs[program, 3] += log(po); logs[program, 4] += log(vo)
        if (ve > me) me = ve
        if (vo > mo) mo = vo
        printf "| %s%s | %d | %s | %s | %s | %.2f | %.2f | %d | %s | %s | %s | %.2f | %.2f | %d |\n", name,
            (r ~ /@/ ? " %" : ""), all[r], error(r, "simple"), error(r, "value-paper"), error(r, "value"), pe, ve, be,
            overhead(r, "simple"), overhead(r, "value-paper"), overhead(r, "value"), po, vo, bo
    }
    print "\nGeometric means of the ratios over the regions of each program:\n"
    print "| program | regions | error: paper | value | overhead: paper | value |"
    print "|---|---|---|---|---|---|"
    for (k = 1; k <= count; k++) {
        program = programs[k]
        printf "| %s | %d |", program, parts[program]
        for (i = 1; i <= 4; i++) { mean[i] += logs[program, i] / parts[program]
            printf " %.2f |", exp(logs[program, i] / parts[program]) }
        print ""
    }
    printf "| all | %d | %.2f | %.2f | %.2f | %.2f |\n", regions, exp(mean[1] / count), exp(mean[2] / count),
        exp(mean[3] / count), exp(mean[4] / count)
    printf "\nLargest ratios of `value`: error %.2f, overhead %.2f. Of %d runs, %d have a larger error and %d a larger overhead than simple sampling.\n",
        me, mo, runs, te, to
}'
[ -n "$on_core" ] || exit 0
cat << 'END'

## On the core

The same with the programs on the core, seed 1: the overhead is the slowdown, with the cycles after each interrupt in
which the pipeline fills again.

| region | error %: simple | value | ratio | slowdown %: simple | value | ratio |
|---|---|---|---|---|---|---|
END
for r in $on_core; do
    jq -rs --arg name "$(echo "$r" | sed 's/@/ at /') %" 'def two: . * 100 | round / 100; def three: . * 1000 | round / 1000;
        (.[0].core.cycles) as $none | (.[1].cycles / $none - 1) as $s | (.[2].cycles / $none - 1) as $a |
        "| \($name) | \(100 * .[1].rms_error | two) | \(100 * .[2].rms_error | two) | \(.[2].rms_error / .[1].rms_error | two) | \(100 * $s | three) | \(100 * $a | three) | \($a / $s | two) |"' \
        "$out/$r.none.stats" "$out/$r.simple.core" "$out/$r.value.core"
done

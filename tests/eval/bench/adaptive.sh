#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page docs/results/adaptive.md: error and overhead of value.pasm, of value-paper.pasm and of simple sampling, over
# recorded samples of regions of Debian's programs and of workloads, with SEEDS (default 5) seeds each; and with a
# wider mask and another budget; and with 40 seeds in regions where a seed gave value.pasm the larger error.
#   adaptive.sh BUILD     REAL=no: the workloads alone
# Recordings and results are kept in BUILD/samples (tests/eval/experiments/recorded.sh).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
BUILD=$(cd "$1" && pwd)
seeds=$(seq "${SEEDS:-5}")
more_seeds=40 # where SEEDS of them leave it open
out=$BUILD/samples
mkdir -p "$out"
recorded=$here/../experiments/recorded.sh

programs='gcc perl parser bzip2 gap mcf crafty gzip'
percents='20 50 80'
workloads='bitboard=116 compiler=60 compress=512 coremix=300 glacial=760000_19 interp=40 sort=20'
# Sizes of PC filter 2, budgets and seeds of the comparison at equal overhead.
masks='4096 65536'
budgets='25 50'
some_seeds=$(echo "$seeds" | head -n 1)
if [ "${REAL:=yes}" = yes ] && ! "$here/../../guest/debian/get.sh" "$BUILD/debian" >&2; then REAL=no; fi
[ "$REAL" = yes ] || programs=''
regions=$(for p in $programs; do for at in $percents; do echo "$p@$at"; done; done)

# in_parallel COMMAND...: runs it with the words of each line of standard input
in_parallel() { xargs -P "$(getconf _NPROCESSORS_ONLN)" -L 1 "$@"; }
# The rows of VARIANT by region and seed: variant REGION MASK BUDGET prints its name.
variant() { if [ "$1$2" = 409625 ]; then echo value; else echo "value+$1-$2"; fi; }

for r in $regions $workloads; do echo "$r"; done | in_parallel "$recorded" "$BUILD" record
echo '  replaying' >&2
{
    for r in $regions $workloads; do
        for p in simple value value-paper; do for s in $seeds; do echo "$r $p $s"; done; done
        for m in $masks; do
            for b in $budgets; do
                for s in $some_seeds; do
                    [ "$(variant "$m" "$b")" = value ] ||
                        echo "$r value $s $m-$b --set cop_filter2_bits=$m --param budget=$b"
                done
            done
        done
    done
} | in_parallel "$recorded" "$BUILD" replay
# rows PROGRAM SEED...: of all regions
rows() {
    of=$1
    shift
    for r in $regions $workloads; do for s; do cat "$out/$r.$of.$s.row"; done; done
}

cat << 'END'
# The adaptive value profile

[`value.pasm`](../programs/value.md), [`value-paper.pasm`](../programs/value-paper.md) and simple sampling, one load in
1024 (`simple.pasm`), over the same loads. One command writes this page:

```console
$ make experiments-adaptive
```

The regions are a systematic sample of each run: 100 M instructions after each of the given percentages of the
instructions of the programs of [the co-processor paper's experiments](coprocessor.md). Workloads are those of
[workloads](../workloads.md), with 60 M instructions at most. The configuration is `ev6`; `value-paper` and simple
sampling have tail drop.

Each region is [recorded](../recording.md#samples) once, and the programs run over its samples with the same seeds. The
error is the paper's (the weighted RMS error of the invariance), the overhead the time of the handlers relative to the
other time. Error and overhead are means over the seeds, with half of the 95 % interval of the mean error (Student's t)
behind ±. *Ratio* is that of the means to those of simple sampling, and *worse* the number of seeds with which `value`
has a larger error, or a larger overhead, than simple sampling with the same seed. Means of ratios are geometric: over
the regions of each program, and then over programs.

END
echo "There are $(echo "$seeds" | wc -l) seeds."
echo
# shellcheck disable=SC2086 # numbers
{ for p in simple value value-paper; do rows $p $seeds; done; } | awk -F '\t' '
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
    printf "\nLargest ratios of `value`: error %.2f, overhead %.2f.\nOf %d runs %d have a larger error and %d a larger overhead than simple sampling.\n",
        me, mo, runs, te, to
}'

# Regions in which a seed gave `value` a larger error.
# shellcheck disable=SC2086 # numbers
worse=$({ for p in simple value; do rows $p $seeds; done; } | awk -F '\t' '
$2 == "simple" { e[$1, ++n[$1]] = $3; next }
$3 > e[$1, ++m[$1]] && !found[$1]++ { print $1 }')
if [ -n "$worse" ]; then
    cat << END

## Where the seed decides

The regions in which \`value\` has a larger error with one of the seeds above, with $more_seeds seeds. *Scored* are the
values in the error (at least 200 occurrences and 25 % of their load's executions), *uncertain* those of them with less
than 95 % of the executions: only their estimates differ much from seed to seed. With few such values, simple sampling
can meet their shares by chance. *Worse* is the number of seeds with which \`value\` has the larger error.

| region | scored | uncertain | error %: simple, RMS | largest | value, RMS | largest | worse |
|---|---|---|---|---|---|---|---|
END
    for r in $worse; do for p in simple value; do for s in $(seq "$more_seeds"); do echo "$r $p $s"; done; done; done |
        in_parallel "$recorded" "$BUILD" replay
    for r in $worse; do
        REPORT=yes "$recorded" "$BUILD" replay "$r" value 1
        pairs=$(jq -r '[.pairs_scored, (.pairs | map(select(.exact < 0.95)) | length)] | "\(.[0]) | \(.[1])"' \
            "$out/$r.value.1.json")
        for p in simple value; do for s in $(seq "$more_seeds"); do cat "$out/$r.$p.$s.row"; done; done |
            awk -F '\t' -v pairs="$pairs" '
            { k = ++n[$2]; e[$2, k] = $3; q[$2] += $3 * $3; if ($3 > most[$2]) most[$2] = $3 }
            END {
                for (i = 1; i <= n["value"]; i++) worse += e["value", i] > e["simple", i]
                name = $1; sub(/@/, " at ", name); sub(/=/, " ", name); sub(/_/, " ", name)
                printf "| %s%s | %s | %.2f | %.2f | %.2f | %.2f | %d |\n", name, ($1 ~ /@/ ? " %" : ""), pairs,
                    sqrt(q["simple"] / n["simple"]), most["simple"], sqrt(q["value"] / n["value"]), most["value"], worse
            }'
    done
fi

cat << 'END'

## At equal overhead, and with a wider mask

The error of `value` at the overhead of simple sampling, relative to that of simple sampling: between the budgets
(`--param budget`) below it is interpolated, and where no budget brings the overhead of simple sampling, it is the error
of the highest overhead. *Mask* is the number of bits of PC filter 2 (`cop_filter2_bits`); the paper has 4096. Means
are geometric, over seeds, regions and programs.

END
echo "Budgets: $(echo "$budgets" | sed 's/ /, /g'). Seeds: $(echo "$some_seeds" | xargs | sed 's/ /, /g')."
echo
# shellcheck disable=SC2086 # numbers
{
    rows simple $some_seeds | sed 's/^/simple 0 /'
    for m in $masks; do for b in $budgets; do rows "$(variant "$m" "$b")" $some_seeds | sed "s/^/$m $b /"; done; done
} | awk -v masks="$masks" '
{
    if (!($3 in n)) { order[++regions] = $3; n[$3] = 0 }
    if ($1 == "simple") { k = ++n[$3]; e[$3, k] = $5; o[$3, k] = $6; next }
    if (before != $1 " " $2 " " $3) { seed = 0; before = $1 " " $2 " " $3 }
    k = ++seed
    i = ++points[$3, $1, k]
    pe[$3, $1, k, i] = $5; po[$3, $1, k, i] = $6
}
# The error of mask m at the overhead of simple sampling: between the nearest points below and above it.
function at(r, m, k,    i, low, high, part) {
    low = high = 0
    for (i = 1; i <= points[r, m, k]; i++) {
        if (po[r, m, k, i] <= o[r, k] && (!low || po[r, m, k, i] > po[r, m, k, low])) low = i
        if (po[r, m, k, i] > o[r, k] && (!high || po[r, m, k, i] < po[r, m, k, high])) high = i
    }
    if (!high) return pe[r, m, k, low]
    if (!low) return pe[r, m, k, high]
    part = (o[r, k] - po[r, m, k, low]) / (po[r, m, k, high] - po[r, m, k, low])
    return pe[r, m, k, low] + part * (pe[r, m, k, high] - pe[r, m, k, low])
}
END {
    sizes = split(masks, mask, " ")
    printf "| program | regions |"
    for (j = 1; j <= sizes; j++) printf " mask of %d |", mask[j]
    printf "\n|---|---|"
    for (j = 1; j <= sizes; j++) printf "---|"
    print ""
    for (i = 1; i <= regions; i++) {
        r = order[i]; program = r; sub(/[@=].*/, "", program)
        if (!(program in parts)) names[++count] = program
        parts[program]++
        for (j = 1; j <= sizes; j++)
            for (k = 1; k <= n[r]; k++) {
                q = e[r, k] > 0 ? at(r, mask[j], k) / e[r, k] : 1
                logs[program, j] += log(q > 0.0001 ? q : 0.0001) / n[r]
            }
    }
    for (i = 1; i <= count; i++) {
        program = names[i]
        printf "| %s | %d |", program, parts[program]
        for (j = 1; j <= sizes; j++) { mean[j] += logs[program, j] / parts[program]
            printf " %.2f |", exp(logs[program, j] / parts[program]) }
        print ""
    }
    printf "| all | %d |", regions
    for (j = 1; j <= sizes; j++) printf " %.2f |", exp(mean[j] / count)
    print ""
}'

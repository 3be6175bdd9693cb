# SPDX-License-Identifier: GPL-3.0-or-later
# What the experiments on estimates share. Sourced after lib.sh.
#
# Every program runs as shipped over every workload: WORKLOAD.PROGRAM.base1. One that reads the field weight also runs
# with each `add MEMBER, weight` replaced by `inc MEMBER`: WORKLOAD.PROGRAM.unweighted. So its counts are raw, and the
# driver scales them. In ID.dat, a line for each run: program, workload, variant, samples delivered, those dropped,
# rows, exact events; the sums over rows of the absolute error of the raw counts, of one factor for the whole run, of
# the estimates; rows in which the raw count is nearer, those in which the estimate is; intervals, and those with the
# exact count in them. A row counts as many times as it has members with an exact answer.

. "$here/shelf.sh"
. "$here/estimates_table.sh"

reads_weight() { grep -q ', weight' "$1"; }
weighted() { for p in $estimates_programs; do ! reads_weight "$sources/programs/$p.pasm" || echo "$p"; done; }
scaled() { for p in $estimates_programs; do reads_weight "$sources/programs/$p.pasm" || echo "$p"; done; }
# among NAME...: those of the names that are programs of this run
among() { for name; do case " $estimates_programs " in *" $name "*) echo "$name" ;; esac; done; }

assemble_unweighted() {
    for p in $(weighted); do
        raw=$out/$p.unweighted.pasm
        sed 's/\badd \( *[a-z]*\[[a-z]*\]\.[a-z0-9]*\), weight/inc \1/' "$sources/programs/$p.pasm" > "$raw"
        ! reads_weight "$raw" || { echo "estimates.sh: $p still reads weight" >&2; exit 1; }
        assemble "$p.unweighted" "$raw"
    done
}

# estimates_want VARIANT PROGRAM...
estimates_want() {
    estimates_variant=$1
    shift
    for p; do
        case $estimates_variant in
        unweighted) of_pcemu="--program $out/$p.unweighted.pc --seed 1" ;;
        *) of_pcemu=$(options_of "$p" "$estimates_variant") ;;
        esac
        for w in $estimates_workloads; do
            # shellcheck disable=SC2046,SC2086 # options and arguments are words
            want "$w.$p.$estimates_variant" --config boom $of_pcemu -- $(shelf_command "$w")
        done
    done
}

# A member's raw count is what the program has counted, times the sampler's period, by the parts of a sample.
figures_of='
    def sum(f): map(f) | add // 0;
    def gap: if . < 0 then -. else . end;
    def has_bounds: .bounds and (.exact > 0 or .estimate > 0);
    [.layouts[] | select(.score) | .scale as $scale | .rows[] | . as $row | (.exact | keys[]) as $m
        | {exact: $row.exact[$m], raw: ($row.members[$m] * $period / $parts), one: ($row.members[$m] * $scale / $parts),
           estimate: $row.estimated[$m], bounds: $row.interval[$m]?}
        | .off_raw = (.raw - .exact | gap) | .off_one = (.one - .exact | gap) | .off = (.estimate - .exact | gap)]
    | [length, sum(.exact), sum(.off_raw), sum(.off_one), sum(.off),
       (map(select(.off_raw < .off)) | length), (map(select(.off < .off_raw)) | length),
       (map(select(has_bounds)) | length),
       (map(select(has_bounds and .bounds[0] <= .exact and .exact <= .bounds[1])) | length)]'

# estimates_figures VARIANT PROGRAM...: lines for ID.dat
estimates_figures() {
    estimates_variant=$1
    shift
    for p; do
        source=$sources/programs/$p.pasm
        parts=$(sed -n 's/.*exact [a-z]*, parts \([0-9]*\).*/\1/p' "$source")
        period=$(sed -n 's/^ *\.param *period *= *\([0-9]*\).*/\1/p' "$source")
        for w in $estimates_workloads; do
            printf '%s\t%s\t%s\t' "$p" "$w" "$estimates_variant"
            jq -r --argjson parts "${parts:-1}" --argjson period "${period:-1}" \
                "[.delivered, .dropped] + ($figures_of) | @tsv" "$runs/$w.$p.$estimates_variant.json"
        done
    done
}

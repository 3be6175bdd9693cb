#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What predicts the gain of removing a cause of delay? Runs Debian's programs of tests/eval/bench/real and own workloads
# with profilers, and repeats each run without single causes. Prints the data behind docs/results/counterfactual.md: a
# line for each question, with program, core, address, causes, what each metric of metrics.txt predicts, and the gain.
#   run.sh [BUILD [NAME...]]                 NAME: these programs alone
# The packages are fetched once, into FOLDER (BUILD/real). Results are kept in OUT (BUILD/counterfactual), and a result
# that is newer than pcemu is not made again. All programs run on boom, with 60 questions each, and some on ev6, wide
# and ev5, with 40. INSTRUCTIONS of each region (1.5 M); the regions begin after PERCENT (25) of each program. KNOWN:
# results of an earlier run; where it has a program and a core, its questions are asked and at most MORE (8), which the
# metrics choose that it lacks: those behind its own in metrics.txt. Its gains are not measured again if all its
# predictions are those of this run. The classes of the programs (class.jq) are in OUT/classes.tsv: program, core,
# class.
set -eu

build=$(cd "${1:-build}" && pwd)
if [ $# -gt 1 ]; then shift; else set --; fi
tests=$(cd "$(dirname "$0")/../.." && pwd)
here=$tests/eval/bench/real
# shellcheck source=../bench/real/lib.sh
. "$here/lib.sh"
own=$tests/eval/counterfactual
mkdir -p "${FOLDER:=$build/real}" "${OUT:=$build/counterfactual}"
folder=$(cd "$FOLDER" && pwd) out=$(cd "$OUT" && pwd)
: "${CORES:=boom}" "${INSTRUCTIONS:=1500000}" "${QUESTIONS:=60}" "${PERCENT:=25}" "${MORE:=8}"
known=$(realpath "${KNOWN:-/dev/null}")
first_new=$(awk -F '\t' '{ print NF - 4; exit }' "$known") # the number of the first metric that KNOWN lacks
programs=$(grep -v '^#' "$here/programs")
workloads='own:sort own:compress own:interp own:hashjoin own:chase own:roots'
some="$workloads perl lua python3 quickjs jq gawk m4 sqlite3 gzip xz cc1 z3"
real_fetch "$folder" "$programs" || { echo 'counterfactual/run.sh: the packages could not be fetched' >&2; exit 1; }
[ "${PIECE:-no}" = yes ] || { rm -rf "$out/work" && real_inputs "$folder" "$out"; }

# The profilers to be judged, and the exact ones, by core. The samplers have some 30,000 samples. The analyses of DCPI
# are made from samples alone.
all_profilers=oracle,tip:period=53,nci:period=53,tea-oracle,tea:period=53,topdown,counts:slots,profileme:period=53
out_of_order=$all_profilers,topdown-issue,topdown-commit,retire-delay:period=53
out_of_order=$out_of_order,graph,graph:period=20000,graph:period=100000
profilers_of() { if [ "$1" = ev5 ]; then echo $all_profilers; else echo $out_of_order; fi; }
samplers_of() {
    if [ "$1" = ev5 ]; then echo counter:event=cycles:period=53:random,counter:event=icache-miss:period=5:random
    else echo tip:period=53,profileme:period=53; fi
}

names_of_metrics=$(cut -d '|' -f 1 "$own/metrics.txt" | tr -d ' ' | paste -sd , -)

# core NAME: its options
core() {
    case $1 in
    wide)
        for key in decode_width=6 commit_width=6 fetch_width=16 fetch_block_bytes=32 rob_entries=256 int_registers=280 \
            fp_registers=280 max_branches=48 mem_queue=48 int_queue=80 fp_queue=64 mem_issue=3 int_issue=6 fp_issue=3 \
            mem_ports=3 load_queue=72 store_queue=56 alu_units=6 load_units=3 ftq_entries=64 fetch_buffer=48 \
            l1d_mshrs=16 l2_mshrs=24; do
            printf ' --set %s' "$key"
        done ;;
    *) printf ' --config %s' "$1" ;;
    esac
}

# guest NAME OPTION...: runs a program, or the workload of own:NAME, with these options of pcemu
guest() {
    case $1 in
    own:*)
        own_guest=$build/workloads/${1#own:}
        shift
        (cd "$out/work" && exec "$build/bin/pcemu" --no-program "$@" "$own_guest" < /dev/null > /dev/null) ;;
    *) real_guest "$@" --no-program ;;
    esac
}

# same_run: whether the predictions of $at.pool are those that KNOWN has of the program $name on the core $which
same_run() {
    awk -F '\t' -v name="$name" -v core="$which" -v metrics=$((first_new - 1)) '
        FILENAME == ARGV[1] {
            if ($1 == name && $2 == core) for (m = 1; m <= metrics; m++) had[$3, $4, m] = $(m + 4)
            next
        }
        function rounded(x) { return x == "-" ? x : sprintf("%.4g", x) }
        { for (m = 1; m <= metrics; m++)
              if (($1, $2, m) in had && had[$1, $2, m] != rounded($(m + 2))) exit 1 }' \
        "$known" "$at.pool"
}

# judge NAME CORE: a line for each question: program, core, address, cause, what each metric predicts, and the true gain
judge() {
    name=$1 which=$2 at=$out/$1.$2
    ! real_fresh "$at.tsv" || return 0
    case $name in
    own:*) skip=0 ;;
    *) skip=$(real_skip "$name" "$PERCENT") ;;
    esac
    # shellcheck disable=SC2046 # options
    set -- $(core "$which") --skip-insts "$skip" --warmup 500000 --max-insts "$INSTRUCTIONS" --format json
    guest "$name" "$@" --profile "$(profilers_of "$which")" -o "$at.json" 2> "$at.err"
    jq -r --arg name "$name" --arg core "$which" "[\$name, \$core, ($(cat "$tests/eval/class.jq"))] | @tsv" "$at.json" \
        > "$at.class"
    rm -f "$at.db"
    guest "$name" "$@" --profile "$(samplers_of "$which")" --collect "$at.db" -o "$at.sampled" 2> "$at.err"
    "$build/bin/pcprof" summary --format json "$at.db" > "$at.culprits"
    jq -r --arg names "$names_of_metrics" --slurpfile dcpi "$at.culprits" -f "$own/metrics.jq" "$at.json" \
        > "$at.metrics"
    awk -F '\t' -v OFS='\t' -v name="$name" -v core="$which" '$1 == name && $2 == core { print $3, $4, $NF }' \
        "$known" > "$at.known"
    if [ -s "$at.known" ]; then set_of="$MORE $at.known $first_new"; else set_of=$QUESTIONS; fi
    # shellcheck disable=SC2086 # arguments
    "$own/pool.sh" $set_of < "$at.metrics" > "$at.pool"
    same_run || : > "$at.known"
    awk -F '\t' 'FILENAME == ARGV[1] { known[$1, $2]; next } !(($1, $2) in known) { print $1 ":" $2 }' \
        "$at.known" "$at.pool" > "$at.questions"
    cp "$at.known" "$at.true"
    if [ -s "$at.questions" ]; then
        guest "$name" "$@" --gain "$at.questions" -o "$at.gains" 2> "$at.err"
        jq -r '.gains.instructions[] | [.pc, .removed, .gain // "-"] | @tsv' "$at.gains" >> "$at.true"
    fi
    awk -F '\t' -v OFS='\t' -v name="$name" -v core="$which" '
        FILENAME == ARGV[1] { gain[$1, $2] = $3; next }
        ($1, $2) in gain && gain[$1, $2] != "-" { print name, core, $0, gain[$1, $2] }' "$at.true" "$at.pool" > "$at.tsv"
    rm -f "$at.json" "$at.gains" "$at.db" "$at.sampled" "$at.culprits"
}

# With PIECE=yes only the results of the named programs are made, otherwise those of all, by this script itself.
names=${*:-$workloads $(printf '%s\n' "$programs" | cut -d ' ' -f 1)}
if [ "${PIECE:-no}" = yes ]; then
    for name in $names; do
        for which in $CORES; do judge "$name" "$which"; done
        echo "  $name: done" >&2
    done
    exit
fi
export FOLDER="$folder" OUT="$out" KNOWN="$known" INSTRUCTIONS QUESTIONS MORE PERCENT CORES
# shellcheck disable=SC2086 # names, meant to be split
real_pieces "$0" $names
if [ $# -eq 0 ]; then
    CORES='ev6 wide ev5' QUESTIONS=40
    # shellcheck disable=SC2086
    real_pieces "$0" $some
fi
for name in $names; do cat "$out/$name".*.class; done | sort > "$out/classes.tsv"
for name in $names; do cat "$out/$name".*.tsv; done | awk -F '\t' -v OFS='\t' '{ for (n = 5; n <= NF; n++) if ($n != "-") $n = sprintf("%.4g", $n); print }' |
    sort -t "$(printf '\t')" -k 2,2 -k 1,1 -k 4,4 -k 3,3

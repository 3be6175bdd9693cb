# SPDX-License-Identifier: GPL-3.0-or-later
# Common part of the co-processor paper's experiments: their programs and runs, by name. Sourced after lib.sh.
#
# Run names are WORKLOAD.PROFILER[.VARIANT]. The profiler is none, paper (the paper's variant of value-paper.pasm), value
# (as shipped), or simpleN (one load in N). The core is the paper's. Except for the program as shipped, so is the
# buffer, which drops samples only when it is full.

. "$here/cp_table.sh"
gcc=$(stands_for gcc) perl=$(stands_for perl)

# called PROGRAM: prints its name in claims: "gcc", or "gcc (compiler)" if one of the project's workloads replaces it
called() {
    paper=$(paper_name "$1")
    if [ "$paper" = "$1" ]; then echo "$1"; else echo "$paper ($1)"; fi
}

# Prints the arguments for this scale. The sizes of sorts and joins are logarithms. cp_arguments: for each of the
# project's workloads "/NAME ARGUMENTS".
cp_arguments=$(echo "$cp_table" | awk -v scale="$SCALE" '{
    n = $3
    if ($1 == "sort" || $1 == "hashjoin") n += int(log(scale) / log(2)); else n *= scale
    printf "/%s %d", $1, n < 1 ? 1 : n
    if (NF > 3) printf " %d", $4 * scale < 1 ? 1 : $4 * scale }')
argument() {
    after=${cp_arguments#*"/$1 "}
    echo "${after%%/*}"
}

paper_buffer='--set cop_early_drop=0'

# program PROFILER: prints the options that select it; assembles simple.pasm for its interval
program() {
    case $1 in
    none) echo --no-program ;;
    value) echo "--program $BUILD/programs/value.pc" ;;
    paper)
        assemble paper value-paper.pasm
        echo "--program $out/paper.pc $paper_buffer" ;;
    simple*)
        assemble "$1" -D "N=${1#simple}" simple.pasm
        echo "--program $out/$1.pc $paper_buffer" ;;
    esac
}

# Prints the words after a run's "--": the workload and its arguments, or debian/PROGRAM.
cp_command() {
    case " $cp_names " in
    *" $1 "*) [ "$REAL" != yes ] || { echo "debian/$1"; return; } ;;
    esac
    echo "$1 $(argument "$1")"
}

# cp_want WORKLOAD PROFILER [VARIANT OPTION...]: requests a run; nothing to do when the runs exist
cp_want() {
    [ "$PLAN" = yes ] || return 0
    name=$1.$2${3:+.$3}
    workload=$1
    profiler=$2
    shift 2
    [ $# -eq 0 ] || shift
    # shellcheck disable=SC2046 # options and arguments are words
    want "$name" --config ev6 $(program "$profiler") "$@" -- $(cp_command "$workload")
}

# cp_want_paper WORKLOAD VARIANT "DEFINES" OPTION...: the paper's variant, assembled with other definitions
cp_want_paper() {
    [ "$PLAN" = yes ] || return 0
    name=$1.paper.$2 workload=$1 defines=$3
    # shellcheck disable=SC2086 # options
    assemble "paper.$2" $defines value-paper.pasm
    shift 3
    # shellcheck disable=SC2046,SC2086 # options and arguments are words
    want "$name" --config ev6 --program "$image" $paper_buffer "$@" -- $(cp_command "$workload")
}

# again_of PROGRAM...: prints those that are also run with re-sampling, and with a co-processor that halts when the
# profile is complete
again_of() { for w; do case $(paper_name "$w") in bzip2 | parser) echo "$w" ;; esac; done; }
cp_want_again() {
    for w in $(again_of "$@"); do
        cp_want "$w" paper again --param resample=10
        cp_want "$w" paper halt --param halt=1
    done
}

# cp_want_seeds WORKLOAD [PROFILER...]: the paper's variant, or others, with other seeds than 1; seeds_of WORKLOAD:
# prints the errors of the paper's variant with these. SEEDS: others than those below.
case ${OVER:?} in samples) seeds=${SEEDS:-2 3} ;; *) seeds=${SEEDS:-2 3 4 5} ;; esac
cp_want_seeds() {
    seeded=$1
    shift
    [ $# -gt 0 ] || set -- paper
    for p; do for seed in $seeds; do cp_want "$seeded" "$p" "seed$seed" --seed "$seed"; done; done
}
seeds_of() { for seed in $seeds; do error_of "$1.paper.seed$seed"; done | xargs | sed 's/ /, /g'; }
# runs_of WORKLOAD PROFILER: the names of its runs, one for each seed
runs_of() { echo "$1.$2"; for seed in $seeds; do echo "$1.$2.seed$seed"; done; }
# errors_of WORKLOAD PROFILER, overheads_of WORKLOAD PROFILER: a number for each seed
errors_of() { for run in $(runs_of "$1" "$2"); do error_of "$run"; done | xargs; }
overheads_of() { for run in $(runs_of "$1" "$2"); do overhead "$run" "$1"; done | xargs; }
# ratios "NUMBERS" "NUMBERS": the first numbers by the second ones
ratios() { echo "$1 $2" | awk '{ for (i = 1; i <= NF / 2; i++) printf "%.3f ", ($(i + NF / 2) > 0 ? $i / $(i + NF / 2) : 999) }'; }

# Recorded samples (recorded.sh): three regions of each program, or in the quick version the one that its runs are over,
# and all seeds. Of a workload there is one region.
samples=${SAMPLES:?}
case $OVER in samples) percents=50 ;; *) percents='20 50 80' ;; esac
# A variant: no load is ever sufficiently known.
unmasked='unmasked --param confident=65535 --param visit=65535'
regions_of() {
    case " $cp_names " in
    *" $1 "*) [ "$REAL" != yes ] || { for percent in $percents; do echo "$1@$percent"; done; return; } ;;
    esac
    of_region=$(argument "$1")
    case $of_region in *' '*) of_region=${of_region% *}_${of_region#* } ;; esac
    echo "$1=$of_region"
}
# recorded ACTION: recorded.sh for each line of standard input
recorded() { xargs -P "$(getconf _NPROCESSORS_ONLN)" -L 1 "$here/recorded.sh" "$BUILD" "$1"; }
# Makes the recordings of all programs, the floors, and the replays of simple sampling and of both value profiles.
with_recorded() {
    INSTRUCTIONS=$(awk -v scale="$SCALE" 'BEGIN { printf "%d", 100e6 * scale }')
    export INSTRUCTIONS
    regions=$(for w in $cp_names; do regions_of "$w"; done)
    echo "$regions" | recorded record
    echo "$regions" | recorded floors
    for region in $regions; do
        for p in simple value-paper value; do for seed in 1 $seeds; do echo "$region $p $seed"; done; done
        echo "$region value-paper 1 $unmasked"
    done | recorded replay
}
# of_rows mean|ratio|above COLUMN PROGRAM WORKLOAD...: cp_rows.awk over these workloads' regions; column 3 is the error,
# 4 the overhead
of_rows() {
    ask=$1 column=$2 program=$3
    shift 3
    of_regions=$(for w; do regions_of "$w"; done | xargs)
    awk -f "$here/cp_rows.awk" -v ask="$ask" -v column="$column" -v program="$program" \
        -v regions="$of_regions" -v seeds="1 $seeds" "$samples"/*.row
}
recorded_ratios() { of_rows ratio "$@"; }

# The control: `sites`, whose loads are all hot from the first step to the last, with four numbers of them. It has no rare
# loads and no phases, so what holds for it and not for a program has its cause in these or in the number of loads.
control_loads='512 1024 2048 4096'
# control LOADS: its region; of_control LOADS PROFILE: the report over it
control_steps=$(awk -v scale="$SCALE" 'BEGIN { printf "%d", 2e6 * scale }')
control() { echo "sites=${control_steps}_$1"; }
of_control() { echo "$samples/$(control "$1").$2.1.json"; }
# Makes its recordings and replays: simple, value-paper and value with all numbers of loads and all seeds, and variants
# of value-paper where an experiment has use for them.
control_sized() {
    for size in 128 512; do
        echo "$(control "$1") $out/paper.slots$size.pc 1 array --set cop_cam_entries=$size --set cop_data_rows=$size"
    done
}
with_control() {
    [ ! "$out/control.made" -nt "$out/wanted" ] || return 0 # by another experiment since run.sh has begun
    for size in 128 512; do assemble "paper.slots$size" -D "SLOTS=$size" value-paper.pasm; done
    export CUT="${CUT:-100M}" REPORT=yes
    for n in $control_loads; do control "$n"; done | recorded record
    {
        for n in $control_loads; do
            for p in simple value-paper value; do for seed in 1 $seeds; do echo "$(control "$n") $p $seed"; done; done
        done
        for n in 512 2048 4096; do control_sized "$n"; done
        echo "$(control 512) value-paper 1 whole --param split=0"
        for clock in 2 4 8; do
            for seed in 1 $seeds; do
                echo "$(control 2048) value-paper $seed clock$clock --set cop_clock_divide=$clock"
            done
        done
    } | recorded replay
    touch "$out/control.made"
}
# control_row LOADS PROFILE COLUMN [SEED]: of the row of a replay
control_row() { cut -f"$3" "$samples/$(control "$1").$2.${4:-1}.row"; }
# control_ratios COLUMN LOADS [PROFILE]: of value-paper, or another profile, to simple sampling, for each seed
control_ratios() {
    for seed in 1 $seeds; do
        echo "$(control_row "$2" "${3:-value-paper}" "$1" "$seed") $(control_row "$2" simple "$1" "$seed")"
    done | awk '{ printf "%.4f ", ($2 > 0 ? $1 / $2 : 0) }'
}
# control_gain LOADS [PROFILE]: how many times as large simple sampling's error is, mean over the seeds; control_share
# LOADS: the share of simple sampling's overhead
control_gain() {
    if [ $# -gt 1 ]; then
        echo "$(control_row "$1" simple 3) $(control_row "$1" "$2" 3)" | awk '{ printf "%.1f", ($2 > 0 ? $1 / $2 : 999) }'
    else
        control_ratios 3 "$1" | awk '{ for (i = 1; i <= NF; i++) s += $i > 0 ? 1 / $i : 999; printf "%.1f", s / NF }'
    fi
}
control_share() { control_ratios 4 "$1" | awk '{ for (i = 1; i <= NF; i++) s += $i; printf "%.2f", s / NF }'; }
control_gains() { for n in $control_loads; do control_gain "$n"; echo; done | xargs | sed 's/ /, /g'; }
control_shares() { for n in $control_loads; do control_share "$n"; echo; done | xargs | sed 's/ /, /g'; }
control_numbers=$(echo "$control_loads" | sed 's/ /, /g; s/, \([0-9]*\)$/ and \1/')
# control_timeline LOADS PROFILE: as timeline
control_timeline() {
    jq -r '(.cycles - .handler_cycles) as $without | .timeline[]
        | [.cycle / 1e6, 100 * (.rms_error // 0), 100 * .handler_cycles / $without, .interrupts] | @tsv' "$(of_control "$1" "$2")"
}
# control_last: with 512 loads the M cycles of the last interrupt, and of the region, which is the timeline's last time
control_last() {
    control_timeline 512 value-paper | awk '$4 > n { n = $4; at = $1 } { end = $1 } END { printf "%.1f %.1f", at, end }'
}
# control_near LOADS PROFILE: percent of the pairs estimated within 5 points, and of all occurrences those of pairs that
# were not found
control_near() {
    jq -r '.pairs | [100 * (map(select((.estimated - .exact) | fabs <= 0.05)) | length) / ([length, 1] | max),
        100 * (map(select(.found | not).count) | add // 0) / ([map(.count) | add // 0, 1] | max)] | @tsv' \
        "$(of_control "$1" "$2")" | awk '{ printf "%.1f %.2f\n", $1, $2 }'
}

# variant RUN KIND VALUE DEFAULT: prints the name of the run with one changed value; for the default, the run's own
# name
variant() { if [ "$3" = "$4" ]; then echo "$1"; else echo "$1.$2$3"; fi; }

# cp_variants PROGRAM PROFILER KIND KEY DEFAULT VALUE...: a run for each value of a key of the configuration
cp_variants() {
    program=$1 profiler=$2 kind=$3 key=$4 default=$5
    shift 5
    for value; do
        if [ "$value" = "$default" ]; then cp_want "$program" "$profiler"
        else cp_want "$program" "$profiler" "$kind$value" --set "$key=$value"; fi
    done
}

# Weighted RMS error in per cent; the same with profile and exact values modulo 2^32.
error_of() { read -r error _ < "$runs/$1.error" && printf '%.2f\n' "$error"; }
error_modulo() { read -r _ error < "$runs/$1.error" && printf '%.2f\n' "$error"; }

# complete_of RUN: prints the M cycles until its profile was first complete; -: never
complete_of() { query "$1" 'if .complete then (.complete_cycle - .begin) / 1e6 else "-" end' | awk '{
    if ($1 == "-") print; else printf "%.1f\n", $1 }'; }

# masked_of RUN: prints the number of loads that became sufficiently known
masked_of() { query "$1" .loads_ever_masked; }

# The columns of a run in a table of runs.
run_columns='error % | overhead % | complete, M cycles | dropped % | loads sampled | of'
run_rule='---|---|---|---|---|---'
# run_row RUN WORKLOAD
run_row() {
    query "$1" '[100 * (.rms_error // 0), (if .complete then (.complete_cycle - .begin) / 1e6 else "-" end), 100 * .dropped_share, .loads_profiled, .exact_loads] | @tsv' |
        awk -v overhead="$(overhead "$1" "$2")" '{ if ($2 != "-") $2 = sprintf("%.1f", $2)
            printf "%.2f | %s | %s | %.2f | %d | %d\n", $1, overhead, $2, $3, $4, $5 }'
}

# run_table NAME-OF-SECOND-COLUMN LABEL:RUN-SUFFIX... over $programs: a table of runs below the verdicts
run_table() {
    note ''
    note "| program | $1 | $run_columns |"
    note "|---|---|$run_rule|"
    shift
    for w in $programs; do
        for one; do note "| $w | ${one%%:*} | $(run_row "$w.${one#*:}" "$w") |"; done
    done
}

# causes_of RUN: prints the shares of the squared error, in per cent, of loads without a sample, of missing values of
# other loads, and of estimates
causes_of() {
    query_loads "$1" '(reduce .loads[].pc as $pc ({}; .[$pc] = true)) as $sampled
        | [.pairs[] | {cause: (if .found then 2 elif $sampled[.pc] then 1 else 0 end), part: (.count * (.estimated - .exact) * (.estimated - .exact))}] as $pairs
        | ([$pairs | map(.part) | add // 0, 1e-9] | max) as $all
        | [range(3)] | map(. as $cause | 100 * ($pairs | map(select(.cause == $cause).part) | add // 0) / $all) | @tsv' |
        awk '{ printf "%.0f %.0f %.0f\n", $1, $2, $3 }'
}

# overhead RUN WORKLOAD: prints the measured slowdown in per cent relative to the run without profiling
overhead() {
    awk 'NR == 1 { with = $1 } NR == 2 { printf "%.3f\n", 100 * (with / $1 - 1) }' "$runs/$1.cycles" \
        "$runs/$2.none.cycles"
}

# timeline RUN WORKLOAD: prints the convergence of the profile: M cycles of the region, error %, overhead %,
# interrupts; the overhead is the handlers' cycles relative to the run without profiling
timeline() {
    query "$1" '.begin as $begin | .timeline[] | [(.cycle - $begin) / 1e6, 100 * (.rms_error // 0), .handler_cycles, .interrupts] | @tsv' |
        awk -v without="$(cat "$runs/$2.none.cycles")" '{ print $1, $2, 100 * $3 / without, $4 }'
}

# reach FILE ERROR: prints the M cycles after which the timeline's error stays at or below ERROR; its end if it never
# does
reach() { awk -v goal="$2" '{ if ($2 > goal) at = ""; else if (at == "") at = $1; last = $1 } END {
    printf "%.1f\n", at == "" ? last : at }' "$1"; }

# error_at_overhead FILE OVERHEAD: prints the error at that overhead
error_at_overhead() { awk -v o="$2" '$3 <= o || NR == 1 { e = $2 } END { printf "%.2f\n", e }' "$1"; }

# error_at_share FILE SHARE: prints the error after that share of the run's time
error_at_share() { awk -v share="$2" 'NR == FNR { end = $1; next } $1 <= share * end || FNR == 1 { e = $2 } END {
    printf "%.2f\n", e }' "$1" "$1"; }

# lower_everywhere A B: prints yes if A's error is at most B's at every overhead that both have reached
lower_everywhere() {
    awk 'NR == FNR { o[NR] = $3; e[NR] = $2; n = NR; next }
        { for (i = 1; i < n && o[i + 1] <= $3; i++); if (o[i] <= $3 && e[i] > 1.05 * $2 + 0.1) worse = 1 }
        END { print worse ? "no" : "yes" }' "$1" "$2"
}

# plot_timelines NAME TITLE VARIANT...: three pictures side by side, as in Figures 7 and 8: error over time, overhead
# over time, error over overhead; the data are NAME.VARIANT.dat
plot_timelines() {
    name=$1 title=$2
    shift 2
    panel() { # X Y XLABEL YLABEL
        printf 'set xlabel "%s"\nset ylabel "%s"\nplot ' "$3" "$4"
        sep=
        for v in $variants; do
            printf '%s "%s" using %s:%s with linespoints pointsize 0.4 title "%s %s"' "$sep" "$out/$name.$v.dat" "$1" \
                "$2" "$title" "$v"
            sep=,
        done
        echo
    }
    variants=$*
    {
        echo 'set multiplot layout 1,3'
        echo 'set yrange [0:*]'
        panel 1 2 'M cycles' 'weighted RMS error, %'
        panel 1 3 'M cycles' 'overhead, %'
        panel 3 2 'overhead, %' 'weighted RMS error, %'
        echo 'unset multiplot'
    } | plot "$name"
}

# plot_bars NAME LABEL: NAME.dat: workload, as in the paper, as shipped, simple sampling
plot_bars() {
    plot "$1" << END
set style data histogram
set style fill solid 0.6
set ylabel "$2"
set yrange [0:*]
set xtics rotate by -30
plot "$out/$1.dat" using 2:xtic(1) title "as in the paper", "" using 3 title "as shipped", "" using 4 title "simple sampling, 1/1024"
END
}

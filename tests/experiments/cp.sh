# SPDX-License-Identifier: GPL-3.0-or-later
# What the co-processor paper's experiments share: their programs and runs, by name. Sourced after lib.sh.
#
# Run names are WORKLOAD.PROFILER[.VARIANT]; the profiler is none, value (as shipped), paper (the same without what goes beyond the paper:
# no second pass for high halves, no sampling again), or simpleN (one load in N).

. "$here/cp_table.sh"
gcc=$(stands_for gcc) perl=$(stands_for perl)

# called PROGRAM: as claims name it: "gcc", or "gcc (compiler)" where a workload of ours has its place
called() {
    paper=$(paper_name "$1")
    if [ "$paper" = "$1" ]; then echo "$1"; else echo "$paper ($1)"; fi
}

# The arguments for this scale. Sorts and joins are sized by a logarithm.
argument() {
    echo "$cp_table" | awk -v name="$1" -v scale="$SCALE" '$1 == name {
        n = $3
        if (name == "sort" || name == "hashjoin") n += int(log(scale) / log(2)); else n *= scale
        printf "%d", n < 1 ? 1 : n
        if (NF > 3) printf " %d", $4 * scale < 1 ? 1 : $4 * scale }'
}

# program PROFILER: the options that select it; simple.pasm is assembled for its interval
program() {
    case $1 in
    none) echo --no-program ;;
    value) echo "--program $BUILD/programs/value.pc" ;;
    paper)
        "$BUILD/bin/pcasm" -D WHOLE=0 -D RESAMPLE=0 -o "$out/paper.pc" "$sources/programs/value.pasm"
        echo "--program $out/paper.pc" ;;
    simple*)
        image=$out/$1.pc
        "$BUILD/bin/pcasm" -D "N=${1#simple}" -o "$image" "$sources/programs/simple.pasm"
        echo "--program $image" ;;
    esac
}

# The words behind a run's "--": the workload and its arguments, or debian/PROGRAM.
cp_command() {
    case " $cp_names " in
    *" $1 "*) [ "$REAL" != yes ] || { echo "debian/$1"; return; } ;;
    esac
    echo "$1 $(argument "$1")"
}

# cp_want WORKLOAD PROFILER [VARIANT OPTION...]
cp_want() {
    name=$1.$2${3:+.$3}
    workload=$1
    profiler=$2
    shift 2
    [ $# -eq 0 ] || shift
    # shellcheck disable=SC2046 # options and arguments are words
    want "$name" $(program "$profiler") "$@" -- $(cp_command "$workload")
}

# variant RUN KIND VALUE DEFAULT: the run's name with one thing changed; with its default it is the run itself
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

# Weighted RMS error in percent.
error_of() { query "$1" '100 * .rms_error' | awk '{ printf "%.2f\n", $1 }'; }

# causes_of RUN: percent of the squared error that is of loads without a sample, of values not found of other loads, and of estimates
causes_of() {
    query "$1" '(reduce .loads[].pc as $pc ({}; .[$pc] = true)) as $sampled
        | [.pairs[] | {cause: (if .found then 2 elif $sampled[.pc] then 1 else 0 end), part: (.count * (.estimated - .exact) * (.estimated - .exact))}] as $pairs
        | ($pairs | map(.part) | add) as $all
        | [range(3)] | map(. as $cause | 100 * ($pairs | map(select(.cause == $cause).part) | add // 0) / $all) | @tsv' |
        awk '{ printf "%.0f %.0f %.0f\n", $1, $2, $3 }'
}

# overhead RUN WORKLOAD: measured slowdown in percent, from the run without profiling
overhead() {
    awk -v with="$(query_stats "$1" .core.cycles)" -v without="$(query_stats "$2.none" .core.cycles)" \
        'BEGIN { printf "%.3f\n", 100 * (with / without - 1) }'
}

# timeline RUN WORKLOAD: how the profile came about: M cycles, error %, overhead %, interrupts; the overhead is the handlers' share of
# what the run without profiling takes
timeline() {
    query "$1" '.timeline[] | [.cycle / 1e6, 100 * .rms_error, .handler_cycles, .interrupts] | @tsv' |
        awk -v without="$(query_stats "$2.none" .core.cycles)" '{ print $1, $2, 100 * $3 / without, $4 }'
}

# reach FILE ERROR: M cycles after which the timeline's error stays at or below; its end where it does not
reach() { awk -v goal="$2" '{ if ($2 > goal) at = ""; else if (at == "") at = $1; last = $1 } END { printf "%.1f\n", at == "" ? last : at }' "$1"; }

# error_at_overhead FILE OVERHEAD: the error when the overhead had been spent
error_at_overhead() { awk -v o="$2" '$3 <= o || NR == 1 { e = $2 } END { printf "%.2f\n", e }' "$1"; }

# lower_everywhere A B: yes, if A's error is not above B's at any overhead that both have spent
lower_everywhere() {
    awk 'NR == FNR { o[NR] = $3; e[NR] = $2; n = NR; next }
        { for (i = 1; i < n && o[i + 1] <= $3; i++); if (o[i] <= $3 && e[i] > 1.05 * $2 + 0.1) worse = 1 }
        END { print worse ? "no" : "yes" }' "$1" "$2"
}

# plot_timelines NAME TITLE VARIANT...: three pictures side by side, as in Figures 7 and 8: error over time, overhead over time, error over
# overhead; the data are NAME.VARIANT.dat
plot_timelines() {
    name=$1 title=$2
    shift 2
    panel() { # X Y XLABEL YLABEL
        printf 'set xlabel "%s"\nset ylabel "%s"\nplot ' "$3" "$4"
        sep=
        for v in $variants; do
            printf '%s "%s" using %s:%s with linespoints pointsize 0.4 title "%s %s"' "$sep" "$out/$name.$v.dat" "$1" "$2" "$title" "$v"
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

# plot_bars NAME LABEL: NAME.dat: workload, co-processor, as in the paper, simple sampling
plot_bars() {
    plot "$1" << END
set style data histogram
set style fill solid 0.6
set ylabel "$2"
set yrange [0:*]
set xtics rotate by -30
plot "$out/$1.dat" using 2:xtic(1) title "co-processor", "" using 3 title "as in the paper", "" using 4 title "simple sampling, 1/1024"
END
}

# SPDX-License-Identifier: GPL-3.0-or-later
# Common part of the experiments on the shipped programs. Sourced after lib.sh.
#
# Every program of programs/ is run on every workload. VARIANT is base1 to base4 (four seeds); clock2, clock4 and
# clock8 (a co-processor at 1/2, 1/4 and 1/8 of the core's clock); half and double (size of arrays and slots); ideal
# (co-processor and host work take no time). A run's name is WORKLOAD.PROGRAM.VARIANT; its image is PROGRAM.VARIANT or
# PROGRAM.base. shelf.dat has one line per run: program, workload, variant, samples delivered, samples dropped, core
# cycles, instructions, interrupts, bus accesses by handlers, and the shares, in per cent, of cycles in handlers and
# of events attributed to the wrong place; "-" if the program has no exact reference.

. "$here/shelf_table.sh"

programs=$shelf_programs
seeds='1 2 3 4' clocks='2 4 8'

# slots PROGRAM: prints the number of slots of the program as shipped; nothing if it is fixed
slots() { sed -n 's/^ *\.equ *SLOTS *= *\([0-9]*\).*/\1/p' "$sources/programs/$1.pasm"; }
sizes_of() { [ -z "$(slots "$1")" ] || echo 'half double'; }
variants_of() {
    echo "$seeds" | sed 's/\([0-9]\)/base\1/g'
    echo "$clocks" | sed 's/\([0-9]\)/clock\1/g'
    sizes_of "$1"
    echo ideal
}

# options_of PROGRAM VARIANT: prints the pcemu options
options_of() {
    case $2 in
    base*) echo "--program $out/$1.base.pc --seed ${2#base}" ;;
    clock*) echo "--program $out/$1.base.pc --set cop_clock_divide=${2#clock}" ;;
    half) echo "--program $out/$1.half.pc --set cop_cam_entries=128 --set cop_data_rows=128" ;;
    ideal) echo "--program $out/$1.base.pc --set cop_ideal=yes --set host_free=yes" ;;
    double) echo "--program $out/$1.double.pc --set cop_cam_entries=512 --set cop_data_rows=512" ;;
    esac
}

assemble_all() {
    for p in $programs; do
        assemble "$p.base" "$p.pasm"
        n=$(slots "$p")
        [ -z "$n" ] || { assemble "$p.half" -D SLOTS=$((n / 2)) "$p.pasm"; assemble "$p.double" -D SLOTS=$((n * 2)) \
            "$p.pasm"; }
    done
}

# shelf_command WORKLOAD: prints the command in the form of one_run.sh
shelf_command() {
    case " $t_real " in
    *" $1 "*) echo "debian/$1@$begin" ;;
    *) echo "$1$(t_arguments "$1")" ;;
    esac
}

# shelf_want VARIANT...: requests the runs of these variants
shelf_want() {
    for p in $programs; do
        for v; do
            case " $(variants_of "$p" | xargs) " in *" $v "*) ;; *) continue ;; esac
            for w in $shelf_workloads; do
                # shellcheck disable=SC2046 # options and arguments are words
                want "$w.$p.$v" --config boom $(options_of "$p" "$v") -- $(shelf_command "$w")
            done
        done
    done
}

# The error of a report: for layouts against their exact events; for value profiles the weighted RMS error; for pairs
# the share of wasted slots attributed to the wrong instruction.
error_of='(if has("rms_error") then (.rms_error // 0) elif .paired then .paired.error else [.layouts[]?.score | select(.) | select(.exact_events > 0)]
    | (map(.exact_events) | add) as $all | if $all then (map(.error * .exact_events) | add) / $all else null end end)'

# Writes the values of all runs to shelf.dat, unless it is newer than all runs.
shelf_figures() {
    [ ! -f "$out/shelf.dat" ] || find "$runs" -name '*.brief' -newer "$out/shelf.dat" | grep -q . || return 0
    for p in $programs; do
        for v in $(variants_of "$p"); do
            for w in $shelf_workloads; do
                [ -f "$runs/$w.$p.$v.brief" ] || continue
                printf '%s\t%s\t%s\t' "$p" "$w" "$v"
                query "$w.$p.$v" \
                    "[.delivered, .dropped, .cycles, .instructions, .interrupts, .handler_reads + .handler_writes, 100 * (.handler_share // 0),
                    ($error_of | if . == null then \"-\" else 100 * . end)] | @tsv"
            done
        done
    done > "$out/shelf.dat"
}

# over PROGRAM VARIANT EXPRESSION: prints the mean over workloads of an awk expression over the fields of shelf.dat;
# lines without an error are omitted if the expression uses it
over() {
    awk -F '\t' -v p="$1" -v v="$2" \
        "\$1 == p && \$3 == v && (\"$3\" !~ /11/ || \$11 != \"-\") { s += ($3); n++ } END { printf n ? \"%.2f\" : \"-\", s / (n ? n : 1) }" "$out/shelf.dat"
}
# with_interval DIGITS: prints the mean of the input's numbers, without "-", and the 95 % interval if there are four
# numbers (Student's t with 3 degrees of freedom)
with_interval() {
    awk -v digits="$1" '$1 != "-" { x[++n] = $1; s += $1 } END {
        if (!n) { print "-"; exit }
        m = s / n; for (i in x) d += (x[i] - m) ^ 2
        if (n == 4 && d > 0) printf "%.*f ± %.*f\n", digits, m, digits, 3.182 * sqrt(d / 3) / 2;
            else printf "%.*f\n", digits, m }'
}
dropped='($4 ? 100 * $5 / $4 : 0)'

# panels ID DATA FIRST TICS: plots a panel for each program in DATA, whose lines are program, abscissa, and two shares
# in per cent: FIRST, and the error
panels() {
    shown=$(cut -f1 "$2" | uniq)
    rows=$((($(echo "$shown" | wc -l) + 4) / 4))
    plot "$1" $((130 * rows)) << END
set multiplot layout $rows,4
set lmargin 6
set rmargin 2
set logscale x 2
set xrange [0.9:1.1 * $(cut -f2 "$2" | sort -g | tail -n 1)]
set xtics ($4) font ',9'
set ytics font ',9'
set yrange [0:1<*]
set datafile missing '-'
unset key
$(for p in $shown; do
        echo "set title '$p' offset 0,-0.8"
        printf "plot '< grep \"^%s\t\" %s' using 2:3 with linespoints lt 1 notitle, '' using 2:4 with linespoints lt 2 notitle\n" "$p" "$2"
    done)
set title ' '
unset logscale
set xrange [0:1]
unset grid
unset border
unset tics
set key center center title 'percent'
plot [0:1] [0:1] -1 with linespoints lt 1 title '$3', -1 with linespoints lt 2 title 'error'
unset multiplot
END
}

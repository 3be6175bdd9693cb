# SPDX-License-Identifier: GPL-3.0-or-later
# Common part of the TIP paper's experiments. Sourced after lib.sh.
#
# One run per program has all profilers: they observe the same cycles, and those with the same period sample in the
# same cycles, as in the paper (section 4). A run's name is PROGRAM.time. t.dat has one line per program and profiler:
# program, class, profiler (with a suffix after a dot: the multiple of the period, "random" and the seed), and the
# errors in per cent at the levels of instructions, blocks and functions.

. "$here/t_table.sh"

profilers='tip tip-ilp nci nci+ilp lci dispatch software'
rates='8 4 0.5 0.25' # multiples of the period, beside 1
seeds='1 2 3'

# t_profilers PROGRAM: prints the profilers of its run, for --profile
t_profilers() {
    printf oracle
    base=$(t_period "$1" 1)
    for p in $profilers; do printf ',%s:period=%s' "$p" "$base"; done
    for factor in $rates; do
        for p in tip tip-ilp nci; do printf ',%s:period=%s' "$p" "$(t_period "$1" "$factor")"; done
    done
    for s in $seeds; do printf ',tip:period=%s:random:seed=%s' "$base" "$s"; done
    echo
}

# t_label PROGRAM PROFILER: prints its label in the report
t_label() {
    case $2 in
    *.random*) echo "${2%%.*}:period=$(t_period "$1" 1):random:seed=${2##*.random}" ;;
    *.*) echo "${2%%.*}:period=$(t_period "$1" "${2#*.}")" ;;
    *) echo "$2:period=$(t_period "$1" 1)" ;;
    esac
}

# t_want PROGRAM...: requests the run of each
t_want() {
    for w; do
        case " $t_real " in
        *" $w "*) t_command="debian/$w" ;;
        *) t_command="${w%%.*}$(t_arguments "$w")" ;;
        esac
        # shellcheck disable=SC2046,SC2086 # arguments are words
        want "$w.time" --config boom --no-program --profile $(t_profilers "$w") -- $t_command
    done
}

# Class of a program (section 4).
class_of() { query "$1.time" -f "$here/../class.jq"; }

# t_names PROGRAM: prints each label of the report and its name in t.dat
t_names() {
    for p in $profilers $(for f in $rates; do echo "tip.$f tip-ilp.$f nci.$f"; done) $(for s in $seeds;
        do echo "tip.random$s"; done); do
        printf '%s\t%s\n' "$(t_label "$1" "$p")" "$p"
    done
}

# Writes the errors of all programs to t.dat, unless it is newer than all runs.
t_errors() {
    newer=yes
    for w in $t_programs; do [ "$out/t.dat" -nt "$runs/$w.time.brief" ] || newer=no; done
    [ $newer = no ] || return 0
    for w in $t_programs; do
        t_names "$w" > "$out/t.names"
        query "$w.time" \
            '.time.profilers[] | select(.error) | [.profiler, (.error | .instruction, .block, .function | 100 * .)] | @tsv' |
            awk -F '\t' -v w="$w" -v class="$(class_of "$w")" -v OFS='\t' 'FILENAME == ARGV[1] { name[$1] = $2; next }
                $1 in name { print w, class, name[$1], $2, $3, $4 }' "$out/t.names" -
    done > "$out/t.dat"
}

# mean PROFILER LEVEL [CLASS]: prints the arithmetic mean of the programs' errors in per cent (section 4); LEVEL is 4,
# 5 or 6: instruction, block, function
mean() {
    awk -F '\t' -v p="$1" -v level="$2" -v class="${3:-}" '$3 == p && (class == "" || $2 == class) { s += $level; n++ }
        END { printf "%.2f", n ? s / n : 0 }' "$out/t.dat"
}
# worst PROFILER LEVEL: prints the maximum and its program
worst() { sort -t '	' -k "$2,$2gr" "$out/t.dat" | awk -F '\t' -v p="$1" -v level="$2" '$3 == p {
    printf "%.2f (%s)", $level, $1; exit }'; }
value() { echo "${1%% *}"; }
# means LEVEL PROFILER...: "a, b, c"
means() {
    level=$1 sep=
    shift
    for p; do printf '%s%s' "$sep" "$(mean "$p" "$level")"; sep=', '; done
}

# t_table_of LEVEL: prints a table of all programs by class
t_table_of() {
    note ''
    note "| program | class | $(echo "$profilers" | sed 's/ / | /g') |"
    note '|---|---|---|---|---|---|---|---|---|'
    for class in Compute Stall Flush; do
        for w in $(awk -F '\t' -v class="$class" '$2 == class && $3 == "tip" { print $1 }' "$out/t.dat"); do
            note "| $w | $class | $(for p in $profilers; do awk -F '\t' -v w="$w" -v p="$p" -v l="$1" '$1 == w &&
                $3 == p { printf "%.2f | ", $l }' "$out/t.dat"; done)"
        done
        note "| *mean* | $class | $(for p in $profilers; do printf '%s | ' "$(mean "$p" "$1" "$class")"; done)"
    done
    note "| *mean* | all | $(for p in $profilers; do printf '%s | ' "$(mean "$p" "$1")"; done)"
}

# plot_errors NAME LEVEL LABEL: plots bars for each program and profiler
plot_errors() {
    for w in $t_programs; do
        printf '%s' "$w"
        for p in tip tip-ilp nci; do awk -F '\t' -v w="$w" -v p="$p" -v l="$2" '$1 == w && $3 == p {
            printf " %s", $l }' "$out/t.dat"; done
        echo
    done > "$out/$1.dat"
    plot "$1" << END
set style data histogram
set style fill solid 0.6
set ylabel "$3"
set yrange [0:*]
set xtics rotate by -40
plot "$out/$1.dat" using 2:xtic(1) title "TIP", "" using 3 title "TIP-ILP", "" using 4 title "NCI"
END
}

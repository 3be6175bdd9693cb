# SPDX-License-Identifier: GPL-3.0-or-later
# Common part of the DCPI paper's experiments on collection. Sourced after lib.sh.
. "$here/d_table.sh"

# d_want RUN OPTION...: requests a run PROGRAM.RUN of each program on the in-order core
d_want() {
    run=$1
    shift
    for w in $d_programs; do
        case " $t_real " in
        *" $w "*) d_command="debian/$w" ;;
        *) d_command="$w$(t_arguments "$w")" ;;
        esac
        # shellcheck disable=SC2086 # arguments are words
        want "$w.$run" --config ev5 --no-program "$@" -- $d_command
    done
}

# The three configurations of section 5, and the period of section 4.1.1.
d_period=period=65536:random:collect
d_cycles=counter:event=cycles:$d_period
d_default=$d_cycles,counter:event=icache-miss:$d_period
d_mux=$d_cycles,counter:event=icache-miss+dcache-miss+mispredicted:rotate=65536:$d_period

# d_mean FILE COLUMN: the arithmetic mean of a column
d_mean() { awk -F '\t' -v c="$2" '{ s += $c; n++ } END { printf "%.2f", n ? s / n : 0 }' "$1"; }

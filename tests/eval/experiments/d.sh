# SPDX-License-Identifier: GPL-3.0-or-later
# Common part of the DCPI paper's experiments on collection. Sourced after lib.sh.
. "$here/d_table.sh"

# d_command PROGRAM: prints the command of a program
d_command() {
    case " $t_real " in
    *" $1 "*) echo "debian/$1" ;;
    *) echo "$1$(t_arguments "$1")" ;;
    esac
}

# d_want RUN OPTION...: requests a run PROGRAM.RUN of each program on the in-order core
d_want() {
    run=$1
    shift
    for w in $d_programs; do
        # shellcheck disable=SC2046 # arguments are words
        want "$w.$run" --config ev5 --no-program "$@" -- $(d_command "$w")
    done
}

# The three configurations of section 5, and the period of section 4.1.1.
d_period=period=65536:random:collect
d_cycles=counter:event=cycles:$d_period
d_default=$d_cycles,counter:event=icache-miss:$d_period
d_mux=$d_cycles,counter:event=icache-miss+dcache-miss+mispredicted:rotate=65536:$d_period

# Runs of all programs with a profile store each, $runs/PROGRAM.store.db; the period is a quarter of the usual one,
# because the runs are short.
d_want_stores() {
    for w in $d_programs; do
        # shellcheck disable=SC2046 # arguments are words
        want "$w.store" --config ev5 --no-program --collect "$runs/$w.store.db:machine" --profile "$(echo \
            "$d_default" | sed 's/65536/16384/g')" -- $(d_command "$w")
    done
}

# d_merge STORE RUN...: makes a store, $out/STORE, of those of the runs
d_merge() {
    d_store=$out/$1
    shift
    rm -f "$d_store"*
    for d_run; do set -- "$@" "$runs/$d_run.db"; shift; done
    "$BUILD/bin/pcprof" merge "$d_store" "$@" > /dev/null
}

# d_mean FILE COLUMN: the arithmetic mean of a column
d_mean() { awk -F '\t' -v c="$2" '{ s += $c; n++ } END { printf "%.2f", n ? s / n : 0 }' "$1"; }

# SPDX-License-Identifier: GPL-3.0-or-later
# Common part of the ProfileMe paper's experiments. Sourced after lib.sh.
#
# One run per program, PROGRAM.counts, has the exact counts and all samplers: single samples at four intervals, pairs,
# fetch opportunities, a buffer, and selection by instruction ID. The core is `ev6`, like the paper's 21264.

. "$here/pm_table.sh"

intervals='1000 3000 10000 30000'
# The single samplers of a program. Each has its own seed; otherwise the deviations of different runs would be
# correlated.
single() {
    seed=$(echo "$pm_programs" | tr ' ' '\n' | awk -v w="$1" '$1 == w { print 10 * NR }')
    for s in $intervals; do
        seed=$((${seed:-0} + 1))
        echo "profileme:period=$s:seed=$seed"
    done
}
pair=profileme:period=2000:pair:window=100
opportunity=profileme:period=3000:opportunity
buffer=profileme:period=3000:buffer=16
iid=profileme:period=1000:iid=0

# pm_want PROGRAM...: requests the run of each; other_want NAME CONFIG PROFILE PROGRAM: requests another run
pm_want() { for w; do other_want "$w.counts" ev6 "counts:slots,$(single "$w" | xargs |
    tr ' ' ','),$pair,$opportunity,$buffer,$iid" "$w"; done; }
other_want() {
    case " $t_real " in
    *" $4 "*) pm_command="debian/$4" ;;
    *) pm_command="$4$(t_arguments "$4")" ;;
    esac
    # shellcheck disable=SC2086 # arguments are words
    want "$1" --config "$2" --no-program --profile "$3" -- $pm_command
}

# mean: prints the mean of the numbers on standard input, with two digits
mean() { awk '{ s += $1 } END { printf "%.2f", NR ? s / NR : 0 }'; }
# range: prints their minimum and maximum
range() { sort -g | awk 'NR == 1 { a = $1 } { b = $1 } END { printf "%.2f to %.2f", a, b }'; }

# SPDX-License-Identifier: GPL-3.0-or-later
# What the benchmarks of the detailed core run, for the scripts beside it: one line for each workload with its mix, the
# instructions skipped
# at functional speed before (its setting-up) and its command line. The integer mix is of programs bound by misses
# (hashjoin) and
# mispredictions (sort, interp, and compiler, whose code does not fit the L1 I-cache).
# shellcheck disable=SC2034 # for the scripts that source this one
mixes='int 6000000 hashjoin
int 1500000 sort
int 1000000 interp
int 3000000 compiler
coremix 1000000 coremix
fp 3000000 stencil
fp 1000000 dense
fp 1000000 pixels'

# insts: measured of each
insts=${INSTS:-2000000}

# turns ROUNDS: the least processor time of each of the commands on the input (see turns.c)
# shellcheck disable=SC2154 # set by the scripts that source this one
turns() { "$build/tests/bench/turns" "$1"; }

# core_command SKIP OPTION...: the common part of a measured command line, with the workload still to come
# shellcheck disable=SC2154 # set by the scripts that source this one
core_command() {
    skip=$1
    shift
    echo "exec $pcemu --skip-insts $skip --max-insts $insts -o /dev/null $*"
}

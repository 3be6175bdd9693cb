# SPDX-License-Identifier: GPL-3.0-or-later
# Workloads of the detailed core's benchmarks: one line per workload with its mix, the number of instructions skipped
# at functional speed (initialisation), and its command line. The integer mix has programs bound by cache misses
# (hashjoin) and by mispredictions (sort, interp, and compiler, whose code does not fit the L1 I-cache).
# shellcheck disable=SC2034 # for the scripts that source this one
mixes='int 6000000 hashjoin
int 1500000 sort
int 1000000 interp
int 3000000 compiler
coremix 1000000 coremix
fp 3000000 stencil
fp 1000000 dense
fp 1000000 pixels'

# insts: number of instructions measured of each workload
insts=${INSTS:-2000000}

# core_command SKIP OPTION...: prints the common part of a measured command line, without the workload
# shellcheck disable=SC2154 # set by the scripts that source this one
core_command() {
    skip=$1
    shift
    echo "exec $pcemu --skip-insts $skip --max-insts $insts -o /dev/null $*"
}

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The training run of `make PGO=1`: short runs of each time-consuming task of pcemu. The workloads, or at least their
# sizes, differ from those of the benchmarks.
# usage: train.sh BUILD
set -eu
build=$(cd "$1" && pwd)
cd "$build/workloads"

# train INSTS OPTION... -- WORKLOAD [ARG...]
train() {
    insts=$1
    shift
    "$build/bin/pcemu" --max-insts "$insts" --no-program "$@" > /dev/null
}

for config in boom ev6 ev5; do
    for words in compress bitboard 'chase 14' 'stencil 24 2' 'sort 12' 'branchy 20000' 'coremix 4' 'glacial'; do
        # shellcheck disable=SC2086 # a workload and its arguments
        train 300000 --skip-insts 300000 --warm --config $config ./$words
    done
done
for words in compress bitboard glacial 'dense 40' 'pixels 3000' 'sort 12'; do
    # shellcheck disable=SC2086
    train 300000 --profile oracle,tip -o /dev/null ./$words
    # shellcheck disable=SC2086
    "$build/bin/pcemu" --max-insts 300000 --program "$build/programs/value.pc" --profile oracle,tip -o /dev/null \
        ./$words > /dev/null
done
for words in compress bitboard 'dense 60' 'sort 14' 'coremix 20' interp; do
    # shellcheck disable=SC2086
    train 20000000 --core functional ./$words
done

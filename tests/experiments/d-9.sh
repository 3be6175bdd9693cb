#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Accuracy of the frequencies of instructions (Figure 8 of the DCPI paper)
. "$(dirname "$0")/lib.sh"
. "$here/d_analysis.sh"
with_runs
d_analyse cycles ev5 cycles
five=$(d_mean_of cycles insns 1 samples) ten=$(d_mean_of cycles insns 2 samples)
fifteen=$(d_mean_of cycles insns 3 samples)
claim 'samples of instructions whose frequency is within 5, 10 and 15 %, in % of all samples' '73, 87, 92' \
    "$five, $ten, $fifteen" "$five >= 73 && $ten >= 87 && $fifteen >= 92"
why 'short loops whose pairs change with the path have no certain issue point.'
five=$(d_mean_of cycles insns 1) ten=$(d_mean_of cycles insns 2) fifteen=$(d_mean_of cycles insns 3)
claim 'within 5 %: mean over the programs' 73 "$five" "$five >= 73"
why 'short loops whose pairs change with the path have no certain issue point.'
claim 'within 10 %' 87 "$ten" "$ten >= 87"
why 'short loops whose pairs change with the path have no certain issue point.'
claim 'within 15 %' 92 "$fifteen" "$fifteen >= 92"
why 'two programs are far below the mean: their branches are mispredicted so often that
    each block begins with a stall (sort), or most of their code misses the instruction cache (compiler).'
low=$(d_mean_of cycles low 2) medium=$(d_mean_of cycles medium 2) high=$(d_mean_of cycles high 2)
claim 'samples of estimates that are wrong by more than 15 %, in %: of low, medium and high confidence' \
    'nearly all are low' "$low, $medium, $high" "$medium + $high < 0.2 * $low"
why 'a few estimates are wrong at all in runs of this length.'
d_analyse skid boom cycles
d_analyse tip boom tip
skid=$(d_mean_of skid insns 2) tip=$(d_mean_of tip insns 2)
claim 'out-of-order core, within 10 %: samples of the cycle counter; of TIP, with the counts of ProfileMe' \
    'future work' "$skid; $tip" "$tip > $skid"
why 'the runs are too short for the counts of ProfileMe.'
note ''
note '| workload | samples | within 5 % | 10 % | 15 % | edges within 5 % | 10 % | 15 % |'
note '|---|---|---|---|---|---|---|---|'
note "$(d_rows cycles insns edges)"

# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='an option of a sampler'
steps='row use help'
row() { behind isa/sampler.def '^SAMPLER_OPTION\(TIP, SEED,' << 'C'
SAMPLER_OPTION(TIP, ROWS_FACTOR, "rows-factor", "periods", 1, 1000, 1, 0, "periods between two samples")
C
    replace core-model/prof/time/profiler.c '^enum sampling_option' 'SAMPLING_SEED, ' \
        'SAMPLING_SEED, SAMPLING_ROWS_FACTOR, '
}
no_row()
{
    named SAMPLER_TIP_ROWS_FACTOR
    compile core-model/prof/sampler/tip_sampler.c
}
use()
{
    replace core-model/prof/sampler/tip_sampler.c 'sampler_option\(setup, SAMPLER_TIP_PERIOD, seed\),' \
        'SAMPLER_TIP_PERIOD, seed)' \
        'SAMPLER_TIP_PERIOD, seed) * sampler_option(setup, SAMPLER_TIP_ROWS_FACTOR, seed)'
}
unnoticed_use='an option without a use is one that changes nothing'
help() { generated tests/golden/cli/help.out; }
no_help()
{
    named ':rows-factor=N'
    tests/golden/run_cli.sh "$full/build" cli help
}
works()
{
    printf '.sampler tip\n.filter class int\n.entry int a\na: mov pc32 -> v0 | done\n' | pcasm -o tip.pc -
    for factor in 1 10; do
        pcemu --program tip.pc --sampler tip:period=50:rows-factor=$factor --format json -o report.$factor \
            "$(guest)" > out
    done
    holds "(.delivered * 5) < $(jq .delivered report.1) and .delivered > 0" report.10
}

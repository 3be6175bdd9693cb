# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a configuration key of the co-processor'
steps='row use page'
row() { before isa/cop_config.def '^COP_PARAM\(early_drop,' << 'E'
COP_PARAM(rows_path, 0, 0, 1000000, "cycles", "added to the way of each sample")
E
}
no_row()
{
    named rows_path
    compile emu/admission.c
}
use()
{
    replace emu/admission.c '^    r->readable = ' 'c->config.path_cycles' 'c->config.path_cycles + c->config.rows_path'
}
no_use()
{
    named 'isa/cop_config.def: rows_path is read nowhere'
    tables
}
page() { generated docs/core-reference.md; }
no_page()
{
    named cop_rows_path
    pages
}
works()
{
    printf '.filter class load\n.entry load a\na: mov pc32 -> v0 | done\n' | pcasm -o loads.pc -
    for path in 0 1000000; do
        pcemu --program loads.pc --set cop_rows_path=$path --max-insts 20000 --stats stats.$path \
            --format json -o report "$(guest)" > out || :
    done
    holds '.coprocessor.waiting < 1000000' stats.0
    holds '.coprocessor.waiting > 900000' stats.1000000
}

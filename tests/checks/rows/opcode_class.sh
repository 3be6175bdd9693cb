# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='an opcode class'
steps='row sets instruction version page'
row() { behind contract/opclass.def '^OPCLASS\(FENCE,' << 'E'
OPCLASS(ROWS_SYNC, "rows_sync", "fence.i")
E
}
no_row()
{
    named ROWS_SYNC
    compile core-model/riscv/decode.c
}
sets() { behind contract/opclass.def '^CLASS_SET\(READERS,' << 'E'
CLASS_SET(ROWS_SYNCS, ROWS_SYNC)
E
}
unnoticed_sets='a class may be in no set: its samples then have the fields of ALL'
instruction() { replace core-model/riscv/rv.def '^RV\(FENCE_I,' ' FENCE, ' ' ROWS_SYNC, '; }
no_instruction()
{
    named 'contract/opclass.def: ROWS_SYNC is the class of no instruction'
    tables
}
version()
{
    replace isa/image.h '^enum \{ IMAGE_VERSION = ' 'IMAGE_VERSION = ' 'IMAGE_VERSION = 1 + '
    replace isa/image.h '^enum \{ IMAGE_CLASSES = ' 'IMAGE_CLASSES = ' 'IMAGE_CLASSES = 1 + '
}
no_version()
{
    named IMAGE_VERSION
    compile isa/image.c
}
page() { generated docs/isa.md; }
no_page()
{
    named '`rows_sync`'
    pages
}
works()
{
    printf '.filter class rows_sync\n.entry rows_sync a\na: mov pc32 -> v0 | done\n' | pcasm -o sync.pc -
    pcemu --program sync.pc --stats stats --format json -o report "$(guest)" > out
    holds '.coprocessor.classes.rows_sync.samples == 8' stats
}

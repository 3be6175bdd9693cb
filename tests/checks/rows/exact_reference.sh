# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='an exact reference of programs'
steps='row file program line page'
targets='build/programs/rows_lengths.pc'
row() { before contract/exact.def '^#undef EXACT$' << 'C'
EXACT(ROWS_LENGTHS, rows_lengths, "rowslengths", "the bytes of each instruction of the program's classes")
EXACT_KEY(ROWS_LENGTHS, PC, "pc", PC, "address of the instruction")
EXACT_COUNT(ROWS_LENGTHS, BYTES, "bytes", "bytes", "of all its executions")

C
}
no_row()
{
    named EXACT_ROWS_LENGTHS_BYTES
    compile core-model/prof/exact/exact_rows_lengths.c
}
file()
{
    create core-model/prof/exact/exact_rows_lengths.c << 'C'
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `rowslengths`: bytes of instructions executed. */
#include "core-model/prof/exact/exact_counter.h"

static void retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct exact_counter *c = ctx;
    (void)cycle;
    exact_table_at(&c->table, in->pc, 0, 0)->count[EXACT_ROWS_LENGTHS_BYTES] += in->insn->length_bytes;
}

EXACT_COUNTER(rows_lengths, struct exact_counter, retired)
C
}
no_file()
{
    named exact_rows_lengths_ops
    link tools/pcemu/pcemu_main.o core-model/prof/exact/exact_rows_lengths.o
}
program()
{
    create programs/rows_lengths.pasm << 'P'
; SPDX-License-Identifier: GPL-3.0-or-later
; rows_lengths: how many bytes of instructions does each store execute?
            .program rows_lengths
            .base   rows  = 0
            .index  slot, width 8
            .index  next, width 8
            .filter class store
            .entry  store look
            .slot   rows[256] exact rowslengths { key : pc exact pc, sum : 32 exact bytes }
look:       match   rows, pc32 -> slot | if miss goto new
            add     rows[slot].sum, length | if notfull done
            interrupt
new:        write   rows[next], pc32
            add     rows[next].sum, length
            inc     next | if nolimit done
            interrupt
P
}
no_program()
{
    named 'rowslengths is named by no program'
    tables
}
line() { behind docs/programs/README.md '^\| \[`hello`\]' << 'M'
| [`rows_lengths`](edge.md) | how many bytes of instructions does each store execute? | retired stores |
M
}
no_line()
{
    named 'docs/programs/README.md: no line with a page for rows_lengths'
    tables
}
page() { generated docs/isa.md; }
no_page()
{
    named '`rowslengths`'
    pages
}
works()
{
    pcemu --program "$full/build/programs/rows_lengths.pc" --set cop_ideal=yes --set host_free=yes --format json \
        -o report "$(guest)" > out
    holds '.layouts[0].score | .reference == "rowslengths" and .exact_events > 1000 and .error < 1e-9' report
}

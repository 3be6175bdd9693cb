/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_semantics.c as clang has translated it, for the code generator. */
    .section .rodata
    .globl row_semantics_start, row_semantics_end
    .hidden row_semantics_start, row_semantics_end
row_semantics_start:
    .incbin "row_semantics.bc"
row_semantics_end:
    .section .note.GNU-stack, "", @progbits

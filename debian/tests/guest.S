# SPDX-License-Identifier: GPL-3.0-or-later
# A guest that loads the number 7 a thousand times, by one instruction. It executes 3,006 instructions: three to begin
# (la is two), three in each round, and three to end.
        .globl  _start
_start: la      a1, seven
        li      a2, 1000
again:  ld      a3, 0(a1)
        addi    a2, a2, -1
        bnez    a2, again
        li      a0, 0
        li      a7, 93
        ecall
        .section .rodata
        .balign 8
seven:  .dword  7

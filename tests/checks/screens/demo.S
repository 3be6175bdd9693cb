# SPDX-License-Identifier: GPL-3.0-or-later
# The guest of docs/results/screens.md. It is written in assembly language, so its instructions and addresses do not
# depend on the version of a compiler: loads with few and with many values, a division, stores that loads
# read, misses in the L1 data cache, branches that are mispredicted, and calls, one of them through a register.

        .macro  function name
        .globl  \name
        .type   \name, @function
\name:
        .endm
        .macro  end name
        .size   \name, . - \name
        .endm

        .set    ITERATIONS, 3000
        .set    STRIDE, 4160
        .set    MASK, 0xfffff
        .text

# a0: an index of the table; a0: its entry
function lookup
        slli    t0, a0, 3
        add     t0, t0, s0
        ld      a0, 0(t0)
        lw      t1, 4(s1)
        beqz    a0, 1f
        remu    a0, t1, a0
1:      ret
end lookup

# a0: a number, which is added to a counter in memory
function add_up
        ld      t0, 8(s1)
        add     t0, t0, a0
        sd      t0, 8(s1)
        ld      t1, 8(s1)
        sd      t1, 16(s1)
        ret
end add_up

# Touches the next line of a megabyte.
function stride
        li      t0, STRIDE
        mul     t0, t0, s2
        li      t1, MASK
        and     t0, t0, t1
        add     t0, t0, s5
        lbu     a0, 0(t0)
        addi    a0, a0, 1
        sb      a0, 0(t0)
        ret
end stride

function even
        addi    s6, s6, 2
        ret
end even

function odd
        addi    s6, s6, 1
        xori    s6, s6, 1
        ret
end odd

function _start
        la      s0, table
        la      s1, counters
        la      s5, lines
        la      s7, handlers
        li      s2, 0
        li      s3, ITERATIONS
        li      s4, 0x2545f491
2:      slli    t0, s4, 13
        xor     s4, s4, t0
        srli    t0, s4, 7
        xor     s4, s4, t0
        slli    t0, s4, 17
        xor     s4, s4, t0
        andi    a0, s4, 15
        call    lookup
        call    add_up
        andi    t0, s2, 3
        bnez    t0, 3f
        call    stride
3:      srli    t0, s4, 20
        andi    t0, t0, 8
        add     t0, t0, s7
        ld      t1, 0(t0)
        jalr    t1
        addi    s2, s2, 1
        blt     s2, s3, 2b
        li      a0, 0
        li      a7, 93
        ecall
end _start

        .data
        .balign 8
table:  .dword  0, 3, 5, 7, 0, 3, 5, 7, 0, 3, 5, 11, 0, 3, 13, 17
counters:
        .word   1, 1000003
        .dword  0, 0
handlers:
        .dword  even, odd
        .bss
        .balign 64
lines:  .space  MASK + 1

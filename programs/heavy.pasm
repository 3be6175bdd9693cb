; SPDX-License-Identifier: GPL-3.0-or-later
; heavy: which pairs of load and value, or of branch and direction, are the most frequent ones?
;
; Purpose   A sketch of heavy hitters in the bytes that `value` and `edge` have, to compare with: counters of the most
;           frequent pairs, after Misra and Gries (Finding repeated elements, 1982). A pair without a slot takes one from
;           the slot that the hand points at; when nothing is left there, the slot is its own.
; Inputs    pc32 and result32 of every integer load that retires; with -D EDGE=1 pc32 and taken of every branch.
; Outputs   pairs: one slot per pair of address and value. The host is interrupted only when a counter is at its end.
;           A count is less than the exact one by what other pairs have taken from it, and by what came before the pair had
;           its slot.
; Registers slot: the slot of the sample's pair.  hand: the slot that pays for the next pair without one; it goes round.
;           v0: the key, pc32 XOR value.
; Budget    By `pcasm --cost`: 5 to 8 cycles for a pair that has a slot, 4 to 6 for one whose key another pair has, 5 to 9
;           for one without a slot.
;
; -D SLOTS=N, a power of two, fits the program to other arrays.

            .program heavy
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .ifndef EDGE
            .equ    EDGE   = 0
            .endif

            .base   pairs  = 0
            .index  slot, width log2(SLOTS)
            .index  hand, width log2(SLOTS)

            .if     EDGE
            .filter class branch
            .entry  branch look
            .slot   pairs[SLOTS] exact edges {
                    key   : pcx exact pc
                    value : 32 dec exact taken
                    count : 32 exact times
            }
look:       mov     pc32 -> v0
            xor     v0, taken -> v0
            match   pairs, v0 -> slot               | if miss goto newcomer
            ld      pairs[slot].value | mov taken   | if differ done    ; the same key of another pair
            .else
            .filter class load
            .entry  load look
            .slot   pairs[SLOTS] exact values {
                    key   : pcx exact pc
                    value : 32 hex exact value
                    count : 32 exact times
            }
look:       mov     pc32 -> v0
            xor     v0, result32 -> v0
            match   pairs, v0 -> slot               | if miss goto newcomer
            ld      pairs[slot].value | mov result32 | if differ done   ; the same key of another pair
            .endif
            inc     pairs[slot].count               | if notfull done
            interrupt

newcomer:   dec     pairs[hand].count               | if empty goto take
            inc     hand                            | done
take:       write   pairs[hand], v0
            .if     EDGE
            st      pairs[hand].value, taken
            .else
            st      pairs[hand].value, result32
            .endif
            inc     pairs[hand].count               | inc hand | done

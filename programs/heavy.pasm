; SPDX-License-Identifier: GPL-3.0-or-later
; heavy: which pairs of load and value, or of branch and direction, are the most frequent ones?
;
; Purpose   A heavy-hitter sketch of the same size as the arrays of `value` and `edge`, for comparison: counters of the
;           most frequent pairs, after Misra and Gries (Finding repeated elements, 1982). A pair without a slot
;           decrements the counter of the slot at the clock hand; at 0, the pair takes the slot over.
; Inputs    pc32 and result32 of every retired integer load; with -D EDGE=1 pc32 and taken of every retired branch.
; Outputs   pairs: one slot per pair of address and value. The host is interrupted only when a counter is full. A count
;           is lower than the exact one by the decrements of other pairs, and by the occurrences before the pair
;           obtained its slot.
; Registers slot: slot of the sample's pair. hand: clock hand: the slot that the next pair without a slot decrements.
;           v0: the key, pc32 XOR value.
; Budget    By `pcasm --cost`: 5 to 8 cycles for a pair with a slot, 4 to 6 for a pair whose key belongs to another
;           pair, 5 to 9 for a pair without a slot.
;
; -D SLOTS=N, a power of two, sets the number of array rows.

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
            ld      pairs[slot].value | mov taken   | if differ done    ; hash collision: another pair has this key
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
            ld      pairs[slot].value | mov result32 | if differ done   ; hash collision: another pair has this key
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

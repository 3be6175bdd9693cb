; SPDX-License-Identifier: GPL-3.0-or-later
; targets: where do indirect jumps, calls and returns go, and how often?
;
; Purpose   Edge profiling, second pass: co-processor paper, section 4. edge.pasm is the first.
; Inputs    pc32 and target32 of every indirect jump, indirect call and return that retires.
; Outputs   edges: one slot per pair of instruction and target. The host reads them when the last slot has been taken or
;           a counter is at its end, and starts afresh; nothing is lost but what the sample buffer drops.
;           The key is pc32 XOR target. Slots whose keys are equal by chance are a list: the lane h3 has the number of
;           the next one, 0 for none. Slot 0 is the oldest, and so is never a next one. match finds the oldest, which is
;           the head.
; Registers slot: the slot looked at.  next: the next free one.  tries: steps along the list, which cannot have more
;           than there are slots.  v1: link.  v2: the key.
; Budget    By `pcasm --cost`: 5 to 8 cycles for an edge whose slot is the head of its list, which nearly all are, and
;           for one that has no slot yet; 8 for the second slot of the list, and 4 more for each further one, every
;           branch predicted.
;
; -D SLOTS=N, a power of two, fits the program to other arrays. -D RETURNS=0 leaves returns out.

            .program targets
            .ifndef SLOTS
            .equ    SLOTS   = 256
            .endif
            .ifndef RETURNS
            .equ    RETURNS = 1
            .endif

            .base   edges   = 0
            .index  slot,  width log2(SLOTS)
            .index  next,  width log2(SLOTS)        ; wraps to 0 when the last slot has been taken
            .index  tries, width log2(SLOTS)

            .filter class icall, ijump, swap, ljump
            .entry  icall, ijump, swap, ljump look
            .if     RETURNS
            .filter class ret
            .entry  ret look
            .endif

            .slot   edges[SLOTS] exact targets {
                    key     : pcx exact pc
                    target  : 32 pc exact target
                    count   : 16 exact retired
            }

look:       mov     pc32 -> v2
            xor     v2, target32 -> v2
            match   edges, v2 -> slot               | if miss goto newcomer
            ld      edges[slot].target | mov target32 | clr tries | if same goto found
walk:       ld      edges[slot].h3 -> v1            | if empty goto append
            mov     v1 -> slot
            ld      edges[slot].target | mov target32 | if same goto found
            inc     tries                           | if nolimit goto walk
            interrupt                               ; not reached
found:      inc     edges[slot].count               | if notfull done
            interrupt

append:     mov     next -> v1
            st      edges[slot].h3, v1
newcomer:   write   edges[next], v2                 | inc edges[next].count
            st      edges[next].target, target32    | inc next | if nolimit done
            interrupt

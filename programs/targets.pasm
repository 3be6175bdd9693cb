; SPDX-License-Identifier: GPL-3.0-or-later
; targets: where do indirect jumps, calls and returns go, and how often?
;
; Purpose   Edge profiling, second pass: co-processor paper, section 4. edge.pasm is the first.
; Inputs    pc32, target32 and weight of every indirect jump, indirect call and return that retires.
; Outputs   edges: one slot per pair of instruction and target, whose addresses are the key. The host reads them when the
;           last slot has been taken or a counter is at its end, and starts afresh. A sample counts as often as its
;           weight says, for those dropped before it.
; Registers slot: the slot of the edge.  next: the next free one.  v0: the target.
; Budget    By `pcasm --cost`: 3 to 5 cycles for an edge that has a slot, 5 to 7 for one that has not.
;
; -D SLOTS=N, a power of two, fits the program to other arrays. -D RETURNS=0 leaves returns out.

            .program targets
            .ifndef SLOTS
            .equ    SLOTS   = 256
            .endif
            .ifndef RETURNS
            .equ    RETURNS = 1
            .endif

            .base   edges = 0, wide
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS)         ; wraps to 0 when the last slot has been taken

            .filter class icall, ijump, swap, ljump
            .entry  icall, ijump, swap, ljump look
            .if     RETURNS
            .filter class ret
            .entry  ret look
            .endif

            .slot   edges[SLOTS] exact targets {
                    key     : pc exact pc
                    target  : 32 pc exact target
                    count   : 32 exact retired
            }

look:       mov     target32 -> v0
            match   edges, v0, pc32 -> slot         | if miss goto newcomer
            add     edges[slot].count, weight       | if notfull done
            interrupt
newcomer:   write   edges[next], v0, pc32
            add     edges[next].count, weight
            st      edges[next].target, v0          | inc next | if nolimit done
            interrupt

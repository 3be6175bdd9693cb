; SPDX-License-Identifier: GPL-3.0-or-later
; targets: what are the targets of indirect jumps, calls and returns, and how often is each taken?
;
; Purpose   Edge profiling, second pass: co-processor paper, section 4. edge.pasm is the first pass.
; Inputs    pc32, target32 and weight of every retired indirect jump, indirect call and return.
; Outputs   edges: one slot per pair of instruction and target; the key is both addresses. The host reads and clears the
;           slots when the last slot has been taken or a counter is full. Each sample adds its weight, which includes
;           the samples dropped before it.
; Registers slot: slot of the edge. next: next free slot. v0: target.
; Budget    By `pcasm --cost`: 3 to 5 cycles for an edge with a slot, 5 to 7 for one without.
;
; -D SLOTS=N, a power of two, sets the number of array rows. -D RETURNS=0 excludes returns.

            .program targets
            .ifndef SLOTS
            .equ    SLOTS   = 256
            .endif
            .ifndef RETURNS
            .equ    RETURNS = 1
            .endif

            .base   edges = 0, wide
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS)         ; wraps to 0 when the last slot is taken

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

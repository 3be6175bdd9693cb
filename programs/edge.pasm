; SPDX-License-Identifier: GPL-3.0-or-later
; edge: how often is each conditional branch taken, and how often not?
;
; Purpose   Edge profiling, first pass: co-processor paper, section 4.
; Inputs    pc32, taken and weight of every conditional branch that retires.
; Outputs   branches: one slot per static branch. The host reads them when the last slot has been taken or a counter is
;           at its end, and starts afresh. A sample counts as often as its weight says, for those dropped before it.
; Registers slot: the slot of the sample's branch.  next: the next free one.
; Budget    By `pcasm --cost`: 3 to 6 cycles for a branch that has a slot, 5 to 8 for one that has not.

            .program edge
            .ifndef SLOTS
            .equ    SLOTS = 256
            .endif

            .base   branches = 0
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS)     ; wraps to 0 when the last slot has been taken

            .filter class branch
            .entry  branch look

            .slot   branches[SLOTS] exact branches {
                    key     : pc exact pc
                    taken   : 32 exact taken
                    untaken : 32 exact untaken
            }

look:       match   branches, pc32 -> slot      | if miss goto newcomer
            mov     taken                       | if zero goto not_taken
            add     branches[slot].taken, weight | if notfull done
            interrupt
not_taken:  add     branches[slot].untaken, weight | if notfull done
            interrupt

newcomer:   write   branches[next], pc32
            mov     taken                       | if zero goto new_not_taken
            add     branches[next].taken, weight | goto step
new_not_taken: add     branches[next].untaken, weight
step:       inc     next                        | if nolimit done
full:       interrupt

; SPDX-License-Identifier: GPL-3.0-or-later
; misp: after which outcomes is a conditional branch mispredicted?
;
; Purpose   Mispredictions by branch and global history: ProfileMe's event by instruction (ProfileMe paper, section 4.1)
;           with the path to it, condensed in the co-processor (co-processor paper, section 4).
; Inputs    pc32, mispred and the low bits of history of every conditional branch that retires.
; Outputs   branches: a block of 8 slots for each static branch, one for each value of the last three outcomes in the
;           global history, the youngest in bit 0. The host reads them when the last block has been taken or a counter
;           is at its end, and starts afresh; nothing is lost but what the sample buffer drops.
;           match finds the first slot of a block, whose entry is valid from the start. Those of the others are written
;           with each sample, for the host.
; Registers slot: the first slot of the branch's block, then that of its history.  next: the first slot of the next free
;           block.  v0: the outcomes.  v1: scratch.  mask: 7, from the first sample on.
; Budget    By `pcasm --cost`: 6 to 9 cycles for a branch predicted right, 7 to 11 for a mispredicted one, and 11 to 15
;           for one that has no block yet.
;
; -D SLOTS=N, a power of two, fits the program to other arrays. PC filter 1: -D AT=ADDRESS passes the branch at that
; address, and those whose distance is a multiple of 128 KB; -D PARTS=N -D PART=K, with N a power of two and K from 0 to
; N - 1, pass one of N parts of the program.

            .program misp
            .ifndef SLOTS
            .equ    SLOTS = 256
            .endif

            .const  low   = 7                       ; history told apart
            .const  block = 8

            .base   branches = 0
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS)         ; wraps to 0 when the last block has been taken
            .value  mask = v2, keep

            .filter class branch
            .ifdef  AT
            .filter pc mask 0xffff match (AT >> 1) & 0xffff
            .endif
            .ifdef  PARTS
            .filter pc mask PARTS - 1 match PART
            .endif
            .entry  branch look

            .slot   branches[SLOTS] exact mispredictions {
                    key     : pc exact pc
                    times   : 32 exact executed
                    missed  : 16 exact mispredicted
                    history : 8 hex exact history
            }

look:       match   branches, pc32 -> slot          | if miss goto newcomer
            and     mask, history -> v0
            or      v0, slot -> slot
            st      branches[slot].history, v0
            write   branches[slot], pc32            | inc branches[slot].times | if full interrupt
            mov     mispred                         | if zero done
            inc     branches[slot].missed           | if notfull done
            interrupt

newcomer:   mov     low -> mask
            write   branches[next], pc32
            mov     next -> v1, slot
            add     v1, block -> next
            and     mask, history -> v0
            or      v0, slot -> slot
            st      branches[slot].history, v0
            write   branches[slot], pc32            | inc branches[slot].times
            mov     mispred                         | if zero goto last
            inc     branches[slot].missed
last:       test    next                            | if inonzero done
            interrupt

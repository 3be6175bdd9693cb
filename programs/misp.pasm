; SPDX-License-Identifier: GPL-3.0-or-later
; misp: after which outcomes is a conditional branch mispredicted?
;
; Purpose   Mispredictions by branch and global history: ProfileMe's event by instruction (ProfileMe paper, section 4.1)
;           with the path to it, condensed in the co-processor (co-processor paper, section 4).
; Inputs    path3, history3, mispred and weight of every conditional branch that retires.
; Outputs   branches: a slot for each static branch and value of the last three outcomes in the global history, the
;           youngest in bit 0. The key is pc32 exclusive-or the outcomes, from which the host takes the address. It
;           reads the slots when the last one has been taken or a counter is at its end, and starts afresh. A sample
;           counts as often as its weight says, for those dropped before it.
; Registers slot: the slot of branch and history.  next: the next free one.
; Budget    By `pcasm --cost`: 3 to 6 cycles for a branch predicted right, 4 to 8 for a mispredicted one, 6 to 10 for
;           the first sample of another branch and history.
;
; -D SLOTS=N, a power of two, fits the program to other arrays. PC filter 1: -D AT=ADDRESS passes the branch at that
; address, and those whose distance is a multiple of 128 KB; -D PARTS=N -D PART=K, with N a power of two and K from 0 to
; N - 1, pass one of N parts of the program.

            .program misp
            .ifndef SLOTS
            .equ    SLOTS = 256
            .endif

            .base   branches = 0
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS)         ; wraps to 0 when the last slot has been taken

            .filter class branch
            .ifdef  AT
            .filter pc mask 0xffff match (AT >> 1) & 0xffff
            .endif
            .ifdef  PARTS
            .filter pc mask PARTS - 1 match PART
            .endif
            .entry  branch look

            .slot   branches[SLOTS] exact mispredictions {
                    key     : pcx exact pc
                    history : b0 hex exact history
                    missed  : h1 exact mispredicted
                    times   : w1 exact executed
            }

look:       match   branches, path3 -> slot         | if miss goto newcomer
            add     branches[slot].times, weight    | if full interrupt
            mov     mispred                         | if zero done
            add     branches[slot].missed, weight   | if notfull done
            interrupt

newcomer:   write   branches[next], path3
            st      branches[next].history, history3
            add     branches[next].times, weight
            mov     mispred                         | if zero goto last
            add     branches[next].missed, weight
last:       inc     next                            | if nolimit done
            interrupt

; SPDX-License-Identifier: GPL-3.0-or-later
; misp: after which outcomes is a conditional branch mispredicted?
;
; Purpose   Mispredictions per branch and global history: ProfileMe's events per instruction (ProfileMe paper, section
;           4.1) with the path, aggregated in the co-processor (co-processor paper, section 4).
; Inputs    path3, history3, mispred and weight of every retired conditional branch.
; Outputs   branches: one slot per static branch and value of the last three outcomes in the global history, the
;           youngest in bit 0. The key is pc32 XOR the outcomes; the host recovers the address from it. The host reads
;           and clears the slots when the last slot has been taken or a counter is full. Each sample adds its weight,
;           which includes the samples dropped before it.
; Registers slot: slot of branch and history. next: next free slot.
; Budget    By `pcasm --cost`: 3 to 6 cycles for a correctly predicted branch, 4 to 8 for a mispredicted one, 6 to 10
;           for the first sample of a branch and history.
;
; -D SLOTS=N, a power of two, sets the number of array rows. PC filter 1: -D AT=ADDRESS passes the branch at that
; address and those whose distance from it is a multiple of 128 KB; -D PARTS=N -D PART=K, with N a power of two and K
; from 0 to N - 1, passes one of N parts of the program.

            .program misp
            .ifndef SLOTS
            .equ    SLOTS = 256
            .endif

            .base   branches = 0
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS)         ; wraps to 0 when the last slot is taken

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

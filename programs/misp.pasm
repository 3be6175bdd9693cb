; SPDX-License-Identifier: GPL-3.0-or-later
; misp: after which outcomes is a conditional branch mispredicted?
;
; Purpose   Mispredictions by branch and global history: ProfileMe's event by instruction (ProfileMe paper, section 4.1)
;           with the path to it, condensed in the co-processor (co-processor paper, section 4).
; Inputs    pc32, mispred, weight and the low bits of history of every conditional branch that retires.
; Outputs   branches: one slot for each static branch and value of the last three outcomes in the global history, the
;           youngest in bit 0: both are the key. The host reads them when the last slot has been taken or a counter is at
;           its end, and starts afresh. A sample counts as often as its weight says, for those dropped before it.
; Registers slot: the slot of branch and history.  next: the next free one.  v0: the outcomes.  mask: 7, from the first
;           sample on, which has no slot before.
; Budget    By `pcasm --cost`: 4 to 7 cycles for a branch predicted right, 5 to 9 for a mispredicted one, and 8 to 12
;           for one that has no slot yet.
;
; -D SLOTS=N, a power of two, fits the program to other arrays. PC filter 1: -D AT=ADDRESS passes the branch at that
; address, and those whose distance is a multiple of 128 KB; -D PARTS=N -D PART=K, with N a power of two and K from 0 to
; N - 1, pass one of N parts of the program.

            .program misp
            .ifndef SLOTS
            .equ    SLOTS = 256
            .endif

            .const  low = 7                         ; history told apart

            .base   branches = 0, wide
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS)         ; wraps to 0 when the last slot has been taken
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

look:       and     mask, history -> v0
            match   branches, v0, pc32 -> slot      | if miss goto newcomer
            add     branches[slot].times, weight    | if full interrupt
            mov     mispred                         | if zero done
            add     branches[slot].missed, weight   | if notfull done
            interrupt

newcomer:   mov     low -> mask
            and     mask, history -> v0
            write   branches[next], v0, pc32
            st      branches[next].history, v0
            add     branches[next].times, weight
            mov     mispred                         | if zero goto last
            add     branches[next].missed, weight
last:       inc     next                            | if nolimit done
            interrupt

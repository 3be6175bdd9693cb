; SPDX-License-Identifier: GPL-3.0-or-later
; path: which paths does a program take, how often, and what do they cost?
;
; Purpose   Hot paths from branch history, after the programmable path profiler of Vaswani, Thazhuthaveetil and Srikant
;           (CGO 2005), with the samples of the co-processor paper, section 3.2.
; Inputs    path8, mispred and retdelay of every retired conditional branch. A path is the branch at its end and the
;           outcomes of the eight branches before that one.
; Outputs   paths: one slot per path. The key is pc32 of the branch at its end, XOR the outcomes in bits 31:24: 1 for
;           taken, the youngest in bit 24. In a program below 32 MiB the low 24 bits are the branch's address / 2, and
;           the high 8 bits are the outcomes. cycles: sum of the branch's retire delays; executions; mispredicted: how
;           often the final branch was mispredicted. The host reads and clears the slots when `executions` is full, or
;           when too many samples have found no slot.
; Registers slot: slot of the sample's path. next: next free slot; the last slot is never used. homeless: number of
;           samples without a slot since all slots were taken.
; Budget    By `pcasm --cost`: 4 cycles for a path with a slot, 5 for a path that gets one, 3 for one that does not.
;
; A row's `mispredicted` never exceeds its `executions`, and the sum of 65535 delays of 16 bits fits `cycles`, so only
; `executions` is tested for overflow. -D SLOTS=N, a power of two, sets the number of array rows. -D PATIENCE=N
; interrupts the host when 2^N samples per slot have found no slot; these samples are not counted. A larger N means
; fewer interrupts.

            .program path
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .ifndef PATIENCE
            .equ    PATIENCE = 4
            .endif

            .base   paths  = 0
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS), saturate
            .index  homeless, width log2(SLOTS) + PATIENCE

            .filter class branch
            .entry  branch look

            .slot   paths[SLOTS] exact paths {
                    key          : hex exact path
                    cycles       : 32 exact cycles
                    executions   : 16 exact executions
                    mispredicted : 16 exact mispredicted
            }

look:       match   paths, path8 -> slot        | if miss goto newcomer
            add     paths[slot].cycles, retdelay
            add     paths[slot].mispredicted, mispred
            inc     paths[slot].executions      | if notfull done
            interrupt

newcomer:   test    next                        | if limit goto crowded
            write   paths[next], path8          | inc paths[next].executions
            st      paths[next].cycles, retdelay
            add     paths[next].mispredicted, mispred | inc next | done

crowded:    inc     homeless                    | if nolimit done
            interrupt

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
;           when 65,536 samples have found no slot.
; Registers slot: slot of the sample's path. next: next free slot; the last slot is never used. homeless: number of
;           samples without a slot since all slots were taken.
; Budget    By `pcasm --cost`: 4 cycles for a path with a slot, 5 for a path that gets one, 3 for one that does not.
;
; A row's `mispredicted` never exceeds its `executions`, and the sum of 65535 delays of 16 bits fits `cycles`, so only
; `executions` is tested for overflow. -D SLOTS=N, a power of two, sets the number of array rows. The driver lets one
; static branch in PARTS pass PC filter 1 at a time, part after part, so that few samples are dropped, and their paths
; have slots. A visit of a part ends when the handlers may take another cost within `budget` of 1024 cycles, or when the
; program interrupts. -D PARTS=N, a power of two: number of parts; 1: all branches pass. -D PART=M is the first part,
; and with `budget` 0 the only one. The low bits of hash 3 are the same for the key and for the address of the branch,
; as they come from bits below 24: the driver finds the part of a row from its key.

            .program path
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .ifndef PARTS
            .equ    PARTS  = 4
            .endif
            .ifndef PART
            .equ    PART   = 0
            .endif
            .param  budget = 18, "cycles of the handlers in 1024 cycles: visits are as long as that needs"

            .base   paths  = 0
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS), saturate
            .index  homeless, width 16

            .filter class branch
            .filter pc mask PARTS - 1 match PART hash 3
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

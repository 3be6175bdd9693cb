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
;           when the last slot has been taken.
; Registers slot: slot of the sample's path. next: next free slot. pause: the gate; samples to be skipped.
; Budget    By `pcasm --cost`: 5 cycles for a path with a slot and for one that gets a slot.
;
; A row's `mispredicted` never exceeds its `executions`, and the sum of 65535 delays of 16 bits fits `cycles`, so only
; `executions` is tested for overflow. After each sample the gate is closed for a random number of samples, below
; 2^PAUSE at first; the driver makes the pauses longer until its handlers take `budget` of 1024 cycles. -D SLOTS=N, a
; power of two, sets the number of array rows.

            .program path
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .ifndef PAUSE
            .equ    PAUSE  = 5
            .endif
            .param  budget = 18, "cycles of the handlers in 1024 cycles: pauses are as long as that needs"

            .base   paths  = 0
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS)         ; wraps to 0 when the last slot is taken
            .index  pause, width PAUSE, gate

            .filter class branch
            .entry  branch look

            .slot   paths[SLOTS] exact paths {
                    key          : hex exact path
                    cycles       : 32 exact cycles
                    executions   : 16 exact executions
                    mispredicted : 16 exact mispredicted
            }

look:       mov     rnd16 -> pause
            match   paths, path8 -> slot        | if miss goto newcomer
            add     paths[slot].cycles, retdelay
            add     paths[slot].mispredicted, mispred
            inc     paths[slot].executions      | if notfull done
            interrupt

newcomer:   write   paths[next], path8          | inc paths[next].executions
            st      paths[next].cycles, retdelay
            add     paths[next].mispredicted, mispred | inc next | if nolimit done
            interrupt

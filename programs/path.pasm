; SPDX-License-Identifier: GPL-3.0-or-later
; path: which paths does a program take, how often, and what do they cost?
;
; Purpose   Hot paths from branch history, after the programmable path profiler of Vaswani, Thazhuthaveetil and Srikant
;           (CGO 2005), with the samples of the co-processor paper, section 3.2.
; Inputs    path8, mispred and retdelay of every conditional branch that retires. A path is the branch at its end and
;           the outcomes of the eight branches before that one.
; Outputs   paths: one slot per path. Its key is pc32 of the branch at the end, exclusive-or the outcomes in bits
;           31:24: 1 for taken, the youngest in bit 24. In a program below 32 MiB the low 24 bits are the branch's
;           address / 2, and the others are the outcomes. Its counters: cycles, the sum of the branch's
;           retire delays; executions; mispredicted, how often the branch itself was. The host reads the slots when
;           `executions` is at its end, or when too many samples have found no slot, and starts afresh.
; Registers slot: the slot of the sample's path.  next: the next free one; the last one is never used.  homeless:
;           samples without a slot since all were taken.
; Budget    By `pcasm --cost`: 4 cycles for a path that has a slot, 5 for one that gets one, 3 for one that finds none.
;
; A row's `mispredicted` is never more than its `executions`, and 65535 delays of 16 bits fit `cycles`, so `executions`
; alone is tested for its end. -D SLOTS=N, a power of two, fits the program to other arrays. -D PATIENCE=N has the host
; called when 2^N samples for each slot have found none: they are not counted, and a larger number calls the host less
; often.

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

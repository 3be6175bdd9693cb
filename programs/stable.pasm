; SPDX-License-Identifier: GPL-3.0-or-later
; stable: which loads repeat their value and address, and which step through memory with a constant stride?
;
; Purpose   Stability of loads between consecutive executions: candidates for elimination (Constable, ISCA 2024) and for
;           prefetching. Correlations between instances of one instruction are a purpose of the co-processor
;           (co-processor paper, section 1).
; Inputs    pc32, ealow and result16 of every retired load.
; Outputs   loads: one slot per static load. same: value and address equal those of its last execution; changed: only
;           the address is equal; strided: the step from the last address equals the last step; other: any other
;           address. The first execution is not counted. The host reads and clears the slots when a counter is full, or
;           when all slots are taken and 65,536 executions of other loads have been ignored.
; Registers slot: slot of the load. next: next free slot; the last slot is never used. ignored: number of ignored
;           executions. v1: last address, then last address minus this one.
; Budget    By `pcasm --cost`: 4 cycles for the same address, 6 for another; 5 for a first execution, 3 for an ignored
;           one.
;
; A load has two rows with the same number: its counters; and the low 32 bits of the address, the low 16 bits of the
; step and a 16-bit hash of the value. Two different values have the same hash with probability 1/65,536; two different
; steps that are multiples of 16 have the same low 16 bits with probability 1/4,096. Dropped samples are invisible: the
; last execution is then the last one sampled, and a step a multiple of the true one. The driver therefore lets one
; static load in PARTS pass PC filter 1 at a time, part after part, so that few samples are dropped. A visit of a part
; ends when the handlers may take another cost within `budget` of 1024 cycles, or when the program interrupts. The first
; execution in a visit is not counted. -D SLOTS=N, a power of two: rows of the arrays; half of them hold loads. -D
; PARTS=N, a power of two: number of parts; 1: all loads pass. -D PART=M is the first part, and with `budget` 0 the only
; one.

            .program stable
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .equ    LOADS  = SLOTS / 2
            .ifndef PARTS
            .equ    PARTS  = 8
            .endif
            .ifndef PART
            .equ    PART   = 0
            .endif

            .param  budget = 18, "cycles of the handlers in 1024 cycles: visits are as long as that needs"

            .geometry cam LOADS, data SLOTS
            .base   loads  = 0
            .base   latest = LOADS                  ; row: address, step, hash of the value
            .index  slot,    width log2(LOADS)
            .index  next,    width log2(LOADS), saturate
            .index  ignored, width 16

            .filter class load, fload
            .filter pc mask PARTS - 1 match PART hash 3
            .entry  load, fload look

            .slot   loads[LOADS] exact stability {
                    key     : pc exact pc
                    same    : 16 exact same
                    changed : 16 exact changed
                    strided : 16 exact strided
                    other   : 16 exact other
            }

look:       match   loads, pc32 -> slot             | if miss goto newcomer
            xchg    latest[slot].w0, ealow -> v1    | if differ goto moved
            xchg    latest[slot].h3, result16       | if differ goto changed
            inc     loads[slot].same                | if notfull done
            interrupt
changed:    inc     loads[slot].changed             | if notfull done
            interrupt

moved:      st      latest[slot].h3, result16
            sub.32  v1, ealow -> v1
            xchg    latest[slot].h2, v1             | if differ goto other
            inc     loads[slot].strided             | if notfull done
            interrupt
other:      inc     loads[slot].other               | if notfull done
            interrupt

newcomer:   test    next                            | if limit goto ignore
            write   loads[next], pc32
            st      latest[next].h3, result16
            st      latest[next].w0, ealow          | inc next | done
ignore:     inc     ignored                         | if nolimit done
            interrupt

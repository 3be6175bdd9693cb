; SPDX-License-Identifier: GPL-3.0-or-later
; stable: which loads fetch the same value from the same address again, and which go through memory in steps?
;
; Purpose   Stability of loads from one execution to the next: candidates to eliminate (Constable, ISCA 2024) and to
;           prefetch. Correlations of instances of one instruction are what the co-processor is for (co-processor
;           paper, section 1).
; Inputs    pc32, ealow and result16 of every load that retires.
; Outputs   loads: one slot per static load: same, value and address are those of its last execution; changed, the
;           address is; strided, the address is as far from the last one as in the last step; other, another address.
;           The first execution counts nowhere. The host reads them when a counter is at its end, or when the slots
;           are taken and 4096 executions of other loads have been ignored, and starts afresh.
; Registers slot: the slot of the load.  next: the next free one; the last one is never used.  ignored: executions.
;           v1: the last address, then that less this one.
; Budget    By `pcasm --cost`: 4 cycles for the same address, 6 for another; 5 for a first execution, 3 for one that is
;           ignored.
;
; A load has two rows of the same number: its counters; and the low 32 bits of the address, the low 16 of the step and
; a hash of the value, of 16 bits. Two values have the same hash by chance in one of 65,536 cases, and two steps the
; same low bits: of those that are multiples of 16 in one of 4,096. Of a sample that is dropped the program knows
; nothing: then the last execution is the last one that it has seen, and a step is not the last one but a multiple of
; it. -D SLOTS=N, a power of two: rows of the arrays; half of them are loads. -D PARTS=N, a power of two, lets one
; static load in N through the filter, those of part -D PART=M.

            .program stable
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .equ    LOADS  = SLOTS / 2
            .ifndef PARTS
            .equ    PARTS  = 1
            .endif
            .ifndef PART
            .equ    PART   = 0
            .endif

            .geometry cam LOADS, data SLOTS
            .base   loads  = 0
            .base   latest = LOADS                  ; a row: address, step, hash of the value
            .index  slot,    width log2(LOADS)
            .index  next,    width log2(LOADS), saturate
            .index  ignored, width 12

            .filter class load, fload
            .filter pc mask PARTS - 1 match PART
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

; SPDX-License-Identifier: GPL-3.0-or-later
; stable: which loads fetch the same value from the same address again, and which go through memory in steps?
;
; Purpose   Stability of loads from one execution to the next: candidates to eliminate (Constable, ISCA 2024) and to
;           prefetch. Correlations of instances of one instruction are what the co-processor is for (co-processor
;           paper, section 1).
; Inputs    pc32, ea and result of every load that retires.
; Outputs   loads: one slot per static load: same, value and address are those of its last execution; changed, the
;           address is; strided, the address is as far from the last one as in the last step; other, another address.
;           The first execution counts nowhere. The host reads them when a counter is at its end, or when the slots
;           are taken and 4096 executions of other loads have been ignored, and starts afresh.
; Registers slot: the slot of the load.  next: the next free one; the last one is never used.  ignored: executions.
;           v1: the last address, then that less this one.
; Budget    By `pcasm --cost`: 4 cycles for the same address, 6 for another; 5 for a first execution, 3 for one that is
;           ignored.
;
; A load has three rows of the same number: its counters; address and step, in 32 bits; and its value. Of a sample
; that is dropped the program knows nothing: then the last execution is the last one that it has seen, and a step is
; not the last one but a multiple of it. -D SLOTS=N, a power of two: rows of the arrays; a quarter of them are loads.
; -D PARTS=N, a power of two, lets one static load in N through the filter, those of part -D PART=M.

            .program stable
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .equ    LOADS  = SLOTS / 4
            .ifndef PARTS
            .equ    PARTS  = 1
            .endif
            .ifndef PART
            .equ    PART   = 0
            .endif

            .geometry cam LOADS, data SLOTS
            .base   loads  = 0
            .base   values = LOADS
            .base   latest = 2 * LOADS
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
            xchg    latest[slot].w0, ea -> v1       | if differ goto moved
            xchg    values[slot].d, result          | if differ goto changed
            inc     loads[slot].same                | if notfull done
            interrupt
changed:    inc     loads[slot].changed             | if notfull done
            interrupt

moved:      st      values[slot].d, result
            sub.32  v1, ea -> v1
            xchg    latest[slot].w1, v1             | if differ goto other
            inc     loads[slot].strided             | if notfull done
            interrupt
other:      inc     loads[slot].other               | if notfull done
            interrupt

newcomer:   test    next                            | if limit goto ignore
            write   loads[next], pc32
            st      values[next].d, result
            st      latest[next].w0, ea             | inc next | done
ignore:     inc     ignored                         | if nolimit done
            interrupt

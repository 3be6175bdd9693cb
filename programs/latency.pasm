; SPDX-License-Identifier: GPL-3.0-or-later
; latency: what is the latency distribution of each load?
;
; Purpose   The distribution of load latencies per instruction: a mean hides that a load mostly hits and sometimes
;           misses (ProfileMe paper, section 4.1.5: latency from issue to completion).
; Inputs    pc32 and memlat of retired loads, selected at random.
; Outputs   loads: one slot per static load. Its counters are for latencies up to 3, 7, 15, 31, 63, 127 and 255 cycles
;           and above. The host reads and clears the slots when the last slot has been taken or a counter is full.
; Registers slot: slot of the sample's load. next: next free slot. pause: the gate; samples to be skipped. v0: latency,
;           shifted right.
; Budget    By `pcasm --cost`: 6 cycles for a latency below 4 cycles, 1 more for each further bucket; 3 more for a load
;           without a slot.
;
; After each sample the gate is closed for a random number of samples, below 2^PAUSE at first. The driver makes the
; pauses longer until its handlers take `budget` of 1024 cycles. -D SLOTS=N, a power of two: number of static loads.

            .program latency
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .ifndef PAUSE
            .equ    PAUSE  = 5
            .endif
            .param  budget = 18, "cycles of the handlers in 1024 cycles: pauses are as long as that needs"

            .base   loads  = 0
            .index  slot,  width log2(SLOTS)
            .index  next,  width log2(SLOTS)        ; wraps to 0 when the last slot is taken
            .index  pause, width PAUSE, gate

            .filter class load, fload
            .entry  load, fload look

            .slot   loads[SLOTS] exact latencies {
                    key     : pc exact pc
                    to3     : 8 exact to3
                    to7     : 8 exact to7
                    to15    : 8 exact to15
                    to31    : 8 exact to31
                    to63    : 8 exact to63
                    to127   : 8 exact to127
                    to255   : 8 exact to255
                    from256 : 8 exact from256
            }

newcomer:   write   loads[next], pc32
            mov     next -> slot
            inc     next                            | goto sort
look:       mov     rnd16 -> pause
            match   loads, pc32 -> slot             | if miss goto newcomer
sort:       shr1    memlat -> v0
            shr1    v0 -> v0                        | if zero goto below4
            shr1    v0 -> v0                        | if zero goto below8
            shr1    v0 -> v0                        | if zero goto below16
            shr1    v0 -> v0                        | if zero goto below32
            shr1    v0 -> v0                        | if zero goto below64
            shr1    v0 -> v0                        | if zero goto below128
            shr1    v0 -> v0                        | if zero goto below256
            inc     loads[slot].from256             | if notfull goto end
            interrupt

below4:     inc     loads[slot].to3                 | if notfull goto end
            interrupt
below8:     inc     loads[slot].to7                 | if notfull goto end
            interrupt
below16:    inc     loads[slot].to15                | if notfull goto end
            interrupt
below32:    inc     loads[slot].to31                | if notfull goto end
            interrupt
below64:    inc     loads[slot].to63                | if notfull goto end
            interrupt
below128:   inc     loads[slot].to127               | if notfull goto end
            interrupt
below256:   inc     loads[slot].to255               | if notfull goto end
            interrupt

end:        test    next                            | if inonzero done      ; 0: the last slot has been taken
            interrupt

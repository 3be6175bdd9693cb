; SPDX-License-Identifier: GPL-3.0-or-later
; latency: what is the latency distribution of each load?
;
; Purpose   The distribution of load latencies per instruction: a mean hides that a load mostly hits and sometimes
;           misses (ProfileMe paper, section 4.1.5: latency from issue to completion).
; Inputs    pc32, memlat and weight of every retired load.
; Outputs   short, long: two rows per static load, with the same row number and key. The counters of short are for
;           latencies up to 3, 7, 15 and 31 cycles, those of long for latencies up to 63, 127 and 255 cycles and above.
;           The host reads and clears the slots when the last slot has been taken or a counter is full. Each sample adds
;           its weight, which includes the samples dropped before it.
; Registers slot: slot of the sample's load. next: next free slot. v0: latency, shifted right.
; Budget    By `pcasm --cost`: 5 cycles for a latency below 4 cycles, 1 more for each further bucket; 4 more for a load
;           without a slot.
;
; -D SLOTS=N, a power of two: number of static loads; the arrays have 2 N entries and rows.

            .program latency
            .ifndef SLOTS
            .equ    SLOTS  = 128
            .endif

            .base   short  = 0
            .base   long   = SLOTS
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS)         ; wraps to 0 when the last slot is taken

            .filter class load, fload
            .entry  load, fload look

            .slot   short[SLOTS] exact latencies {
                    key  : pc exact pc
                    to3  : 16 exact to3
                    to7  : 16 exact to7
                    to15 : 16 exact to15
                    to31 : 16 exact to31
            }
            .slot   long[SLOTS] exact latencies {
                    key     : pc exact pc
                    to63    : 16 exact to63
                    to127   : 16 exact to127
                    to255   : 16 exact to255
                    from256 : 16 exact from256
            }

newcomer:   write   short[next], pc32
            write   long[next], pc32
            mov     next -> slot
            inc     next                            | goto sort
look:       match   short, pc32 -> slot             | if miss goto newcomer
sort:       shr1    memlat -> v0
            shr1    v0 -> v0                        | if zero goto below4
            shr1    v0 -> v0                        | if zero goto below8
            shr1    v0 -> v0                        | if zero goto below16
            shr1    v0 -> v0                        | if zero goto below32
            shr1    v0 -> v0                        | if zero goto below64
            shr1    v0 -> v0                        | if zero goto below128
            shr1    v0 -> v0                        | if zero goto below256
            add     long[slot].from256, weight      | if notfull goto end
            interrupt

below4:     add     short[slot].to3, weight         | if notfull goto end
            interrupt
below8:     add     short[slot].to7, weight         | if notfull goto end
            interrupt
below16:    add     short[slot].to15, weight        | if notfull goto end
            interrupt
below32:    add     short[slot].to31, weight        | if notfull goto end
            interrupt
below64:    add     long[slot].to63, weight         | if notfull goto end
            interrupt
below128:   add     long[slot].to127, weight        | if notfull goto end
            interrupt
below256:   add     long[slot].to255, weight        | if notfull goto end
            interrupt

end:        test    next                            | if inonzero done      ; 0: the last slot has been taken
            interrupt

; SPDX-License-Identifier: GPL-3.0-or-later
; value: which values do the loads of a program load, at a cost that simple sampling has or less?
;
; Purpose   Load value profiling, as value-paper.pasm and simple.pasm do it, for programs with many more loads than
;           slots. There are no partitions: a load without a slot is admitted by chance, loads with enough samples are
;           masked, and the driver adjusts the chance to what profiling may cost (host/driver/value/value_driver.c).
; Inputs    pc32 and the low half of the result of retired integer loads, of which the first word selects one in 8.5
;           on average. All other samples take one cycle, so the buffer drops next to none.
; Outputs   slots: one per static load being profiled, with one active value and the counts since it became active, as
;           in value-paper.pasm. The host reads them at an interrupt (`full`: no slot could be replaced) or by its
;           timer.
; Registers tick: samples until the next selected one; restarts at random. slot: slot of the sample's load. rslot: next
;           slot considered for replacement, round-robin. failed: consecutive loads that could not replace a slot.
;           v0..v3: scratch. The driver stores the constants `admit` and `few`.
; Budget    By `pcasm --cost`; the first figure with all microcode branches predicted correctly, the second with all
;           mispredicted. Not selected: 1 to 2 cycles. Hit of slot and value: 6 to 11; another value: 9 to 15, or 15 to
;           22 if it becomes the active one; slot turned off: 5 to 19. No slot: not admitted 5 to 8, replacement 11 to
;           15, no replacement 9 to 15.
;
; -D SLOTS=N, a power of two, sets the number of array rows. -D EVERY=N: one load in N/2 + 0.5 is selected, N a power of
; two up to 16.

            .program value
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .ifndef EVERY
            .equ    EVERY  = 16
            .endif
            .const  fresh  = 0x00010001         ; hit 1, miss 0, total 1: a new slot; low half: a new value
            .const  admit  = 16384              ; of 65536 selected samples without a slot; the driver lowers it
            .const  few    = 8                  ; minimum samples of a slot that is not replaced; 0 in a pause
            .const  trust  = 16                 ; minimum samples of a value for the slot to be kept (A.2)
            .param  budget = 20, "cycles that handlers may take for 1024 loads executed; simple sampling takes about 27"
            .param  settled = 0, "thousandths of change by a round of all loads, below which profiling pauses; 0: never"

            .record pc32, result32
            .base   slots  = 0
            .index  slot,    width log2(SLOTS)
            .index  rslot,   width log2(SLOTS)
            .index  failed,  width 3            ; interrupts at 8 failures
            .index  tick,    width log2(EVERY)

            .filter class load
            .entry  load   look

            .slot   slots[SLOTS] {
                    key   : pc
                    value : 32 hex
                    hit   : 8
                    miss  : 8
                    total : 16
            }

look:       inc     tick                            | if nolimit done
            mov     rnd4 -> tick
            match   slots, pc32 -> slot             | if miss goto newcomer
            inc     slots[slot].total -> row v0     | if full goto off
            sub.32  v0, result32 -> v3              | if ne   goto other    ; v3: active value minus this one

; The value is the active one. A full counter turns the slot off, which keeps its ratio of hits to misses.
            inc     slots[slot].hit                 | if notfull done
off:        invalidate slots[slot]                  | done

; Another value. Test whether at most 20 % of the samples are hits, that is 4 hits < misses.
other:      inc     slots[slot].miss -> v1          | if full goto off
            ld      slots[slot].hit  -> v0
            shl2    v0 -> v2
            cmp     v2, v1                          | if ge done
            add     v0, v1 -> v0
            cmp     v0, trust                       | if ge goto off

; This value becomes the active one. `total` is not reset.
            ld      slots[slot].value -> v0
            sub.32  v0, v3 -> v0
            st      slots[slot].value, v0
            st      slots[slot].h2, fresh           | done      ; hit 1, miss 0

; No slot. An admitted load replaces the slot at rslot if that has seen few samples.
newcomer:   mov     rnd16 -> v0
            cmp     v0, admit                       | if ge done
            ld      slots[rslot].total -> v0
            cmp     v0, few                         | if ge goto keep
            write   slots[rslot], pc32
            st      slots[rslot].value, result32
            st      slots[rslot].w1, fresh          | inc rslot
            clr     failed                          | done

keep:       inc     rslot
            inc     failed                          | if nolimit done
full:       interrupt

; SPDX-License-Identifier: GPL-3.0-or-later
; value: which values do the loads of a program load, and how invariant are they?
;
; Purpose   Load value profiling: co-processor paper, section 5.1 and Appendix A. The letters A to M are the states of its
;           flow-chart (Figure 10).
; Inputs    pc32 and result of every integer load that retires. Of the result the low half is the value.
; Outputs   slots: one per static load being profiled, with one active value each and what happened while it was active.
;           The host reads them at an interrupt: `full` (too many samples find no slot: time to copy what is known and to start
;           with a clean slate) or `thrash` (slots are replaced as fast as they are filled: the host should split the program).
;           In the second pass, for values that may differ in their high halves alone, the host fills slots and lows: loads and the low
;           halves of their values. Then a slot's value is the high half of those results whose low half is the given one. The host starts
;           it by the entry `high`, and reads it at `passed`: enough samples concerned no slot.
; Registers slot: the slot of the sample's load.  rslot: the next slot up for replacement; it goes round.
;           failed: failed replacements less successful ones, clipped at both ends.  dropped: replacements; in the
;           second pass samples without a slot.
;           v0..v3: scratch.
; Budget    By `pcasm --cost`; the first figure with every branch predicted right, the second with every one wrong.
;           4 to 8 cycles for a sample that hits its slot and its value; 7 to 12 for another value, 13 to 19 if that becomes the active one;
;           3 to 16 where the slot is turned off. Without a slot: 8 to 11 to replace one, 5 to 8 to keep it; 9 to 12 and 6 to 9 with the
;           interrupt. Second pass: 8 to 13 for a hit, 3 to 5 for another low half, 2 to 4 without a slot; at most 24.
;
; -D SLOTS=N, a power of two, fits the program to larger or smaller arrays.
; -D WHOLE=0 leaves the second pass out: values are known by their low halves alone, as in the paper.
; -D RESAMPLE=N, -D SPLIT=0 and -D CHECK=0 set the parameters of the driver, resample, split and recheck; pcemu --param
; sets them without assembling again. The paper has no checks.

            .program value
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .equ    LOG    = log2(SLOTS)
            .ifndef WHOLE
            .equ    WHOLE  = 1
            .endif
            .ifndef RESAMPLE
            .equ    RESAMPLE = 10
            .endif
            .ifndef SPLIT
            .equ    SPLIT  = 1
            .endif
            .ifndef CHECK
            .equ    CHECK  = 1
            .endif

            .const  fresh  = 0x00010001         ; hit 1, miss 0, total 1: the counters of a new slot; its low half those of a new value
            .const  trust  = 16                 ; samples a value must have had to be worth keeping (A.2)
            .param  resample = RESAMPLE, "thousandths of the time that sampling again may take; 0: never"
            .param  split    = SPLIT, "whether a program whose slots thrash is split in partitions: 1 or 0"
            .param  recheck  = CHECK, "whether masked loads that seemed to have one value are checked: 1 or 0"

            .if     WHOLE
            .record pc32, result                ; 16 bytes with the class: one transfer on the path of 128 bits
            .else
            .record pc32, result32
            .endif

            .base   slots  = 0
            .index  slot,    width LOG
            .index  rslot,   width LOG
            .index  failed,  width LOG, saturate ; as many as there are slots have failed: interrupt (A.4)
            .index  dropped, width LOG + 2       ; wraps after four times the number of slots: interrupt (A.5)

            .filter class load
            .entry  load   look

            .slot   slots[SLOTS] {
                    key   : pc
                    value : 32 hex
                    hit   : 8
                    miss  : 8
                    total : 16
            }

; A: does the load have a slot?  B: one more sample of it.  C: is the value the active one?
look:       match   slots, pc32 -> slot             | if miss goto newcomer
            inc     slots[slot].total -> row v0     | if full goto off
            sub.32  v0, f1 -> v3                    | if ne   goto other    ; v3: active value less this one

; F: the value was the active one. A counter that is full turns the slot off: its ratio of hits to misses stands.
            inc     slots[slot].hit                 | if notfull done
off:        invalidate slots[slot]                  | done

; D: another value. Are at most 20 % of the samples hits, that is 4 hits < misses?
other:      inc     slots[slot].miss -> v1          | if full goto off
            ld      slots[slot].hit  -> v0
            shl2    v0 -> v2
            cmp     v2, v1                          | if ge done

; G: the active value is a poor one. With 16 samples and more it is knowledge all the same: keep it, turn the slot off (I).
            add     v0, v1 -> v0
            cmp     v0, trust                       | if ge goto off

; H: else this value becomes the active one. total goes on counting.
            ld      slots[slot].value -> v0
            sub.32  v0, v3 -> v0
            st      slots[slot].value, v0
            st      slots[slot].h2, fresh           | done      ; hit 1, miss 0

; J: no slot. The next slot up for replacement gives way if a random number exceeds the samples it has seen.
newcomer:   ld      slots[rslot].total -> v0
            cmp     v0, rnd4                        | if ge goto keep

; M: replace.
            write   slots[rslot], pc32
            st      slots[rslot].value, f1
            st      slots[rslot].w1, fresh          | inc rslot
            dec     failed
            inc     dropped                         | if nolimit done
thrash:     interrupt

; K: keep it; this sample is lost.
keep:       inc     rslot
            inc     failed                          | if nolimit done
full:       interrupt

            .if     WHOLE
; The second pass. Is the load in a slot, and the low half of the result the one that is asked about? Then its high half is the value, and B, C
; and F are as above. The upper half of the arrays holds what is asked about.
            .base   lows = SLOTS / 2
            .index  asked, width LOG - 1
            .target other
            .target high                    ; where the host starts the second pass

high:       match   slots, pc32 -> slot             | if miss goto foreign
            mov     slot -> asked
            ld      lows[asked].w0 | mov f1         | if differ done
            shr16   f1 -> v3
            shr16   v3 -> v3
            inc     slots[slot].total -> row v0     | if full goto enough
            sub.32  v0, v3 -> v3                    | if ne goto other
            inc     slots[slot].hit                 | if notfull done
enough:     invalidate slots[slot]                  | done

foreign:    inc     dropped                         | if nolimit done
passed:     interrupt
            .endif

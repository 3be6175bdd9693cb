; SPDX-License-Identifier: GPL-3.0-or-later
; value-paper: which values do the loads of a program load, and how invariant are they?
;
; Purpose   Load value profiling: co-processor paper, section 5.1 and Appendix A. The letters A to M are the states of
;           its flow chart (Figure 10).
; Inputs    pc32 and result of every retired integer load. The value is the low half of the result.
; Outputs   slots: one per static load being profiled, with one active value and the counts since it became active. The
;           host reads them at an interrupt: `full` (too many samples found no slot: the host copies and clears the
;           slots) or `thrash` (slots are replaced as fast as they are filled: the host should partition the program).
;           In the second pass, for values that may differ only in their high halves, the host fills slots and lows:
;           loads and the low halves of their values. The value of a slot is then the high half of those results whose
;           low half is the given one. The host starts the second pass by the entry `high`, and reads it at `passed`:
;           enough samples had no slot.
; Registers slot: slot of the sample's load. rslot: next slot considered for replacement, round-robin. failed: failed
;           minus successful replacements, saturating at both ends. dropped: number of replacements; in the second pass,
;           number of samples without a slot. v0..v3: scratch.
; Budget    By `pcasm --cost`; the first figure with all microcode branches predicted correctly, the second with all
;           mispredicted. Hit of slot and value: 4 to 8 cycles; another value: 7 to 12, or 13 to 19 if it becomes the
;           active one; slot turned off: 3 to 16. No slot: replacement 8 to 11, otherwise 5 to 8; 1 more with the
;           interrupt. Second pass: hit 8 to 13, another low half 3 to 5, no slot 2 to 4; at most 24.
;
; -D SLOTS=N, a power of two, sets the number of array rows.
; -D WHOLE=1 adds the second pass, which the paper announces. Without it values are identified by their low halves.
; -D RESAMPLE=N, -D SPLIT=0 and -D CHECK=1 set the driver's parameters resample, split and recheck; pcemu --param sets
; them and the others without assembling again. The defaults are the paper's: see docs/programs/value-paper.md.

            .program value_paper
            .ifndef SLOTS
            .equ    SLOTS  = 256
            .endif
            .equ    LOG    = log2(SLOTS)
            .ifndef WHOLE
            .equ    WHOLE  = 0
            .endif
            .ifndef RESAMPLE
            .equ    RESAMPLE = 0
            .endif
            .ifndef SPLIT
            .equ    SPLIT  = 1
            .endif
            .ifndef CHECK
            .equ    CHECK  = 0
            .endif

            .const  fresh  = 0x00010001         ; hit 1, miss 0, total 1: a new slot; low half: a new value
            .const  trust  = 16                 ; minimum samples of a value for the slot to be kept (A.2)
            .param  resample = RESAMPLE, "thousandths of the time that sampling again may take; 0: never"
            .param  split    = SPLIT, "whether a program whose slots thrash is split in partitions: 1 or 0"
            .param  recheck  = CHECK, "whether masked loads that seemed to have one value are checked: 1 or 0"
            .param  masks    = 1, "whether each partition has a mask of its own: 1 or 0"
            .param  halt     = 0, "whether the co-processor halts when the profile is complete: 1 or 0"
            .param  confident = 16, "samples with which a load of one value, or of none, is sufficiently known"
            .param  visit    = 1, "samples with which a visit counts; four visits suffice for any load"

            .if     WHOLE
            .record pc32, result                ; 16 bytes with the class: one transfer on the 128-bit path
            .else
            .record pc32, result32
            .endif

            .base   slots  = 0
            .index  slot,    width LOG
            .index  rslot,   width LOG
            .index  failed,  width LOG, saturate ; interrupts at one failure per slot (A.4)
            .index  dropped, width LOG + 2       ; interrupts at four replacements per slot, when it wraps (A.5)

            .filter class load
            .entry  load   look

            .slot   slots[SLOTS] {
                    key   : pc
                    value : 32 hex
                    hit   : 8
                    miss  : 8
                    total : 16
            }

; A: search the load's slot.  B: count the sample.  C: compare with the active value.
look:       match   slots, pc32 -> slot             | if miss goto newcomer
            inc     slots[slot].total -> row v0     | if full goto off
            sub.32  v0, f1 -> v3                    | if ne   goto other    ; v3: active value minus this one

; F: the value is the active one. A full counter turns the slot off, which keeps its ratio of hits to misses.
            inc     slots[slot].hit                 | if notfull done
off:        invalidate slots[slot]                  | done

; D: another value. Test whether at most 20 % of the samples are hits, that is 4 hits < misses.
other:      inc     slots[slot].miss -> v1          | if full goto off
            ld      slots[slot].hit  -> v0
            shl2    v0 -> v2
            cmp     v2, v1                          | if ge done

; G: the active value is infrequent. With 16 or more samples this is a result: keep it, and turn the slot off (I).
            add     v0, v1 -> v0
            cmp     v0, trust                       | if ge goto off

; H: otherwise this value becomes the active one. `total` is not reset.
            ld      slots[slot].value -> v0
            sub.32  v0, v3 -> v0
            st      slots[slot].value, v0
            st      slots[slot].h2, fresh           | done      ; hit 1, miss 0

; J: no slot. The slot at rslot is replaced if a random number exceeds its number of samples.
newcomer:   ld      slots[rslot].total -> v0
            cmp     v0, rnd4                        | if ge goto keep

; M: replace the slot.
            write   slots[rslot], pc32
            st      slots[rslot].value, f1
            st      slots[rslot].w1, fresh          | inc rslot
            dec     failed
            inc     dropped                         | if nolimit done
thrash:     interrupt

; K: keep the slot; this sample is lost.
keep:       inc     rslot
            inc     failed                          | if nolimit done
full:       interrupt

            .if     WHOLE
; Second pass. If the load has a slot and the low half of the result is the one searched for, the high half is the
; value, and B, C and F are as above. The upper half of the arrays holds the loads and low halves searched for.
            .base   lows = SLOTS / 2
            .index  asked, width LOG - 1
            .target other
            .target high                    ; entry point of the second pass

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

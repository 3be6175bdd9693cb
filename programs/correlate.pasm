; SPDX-License-Identifier: GPL-3.0-or-later
; correlate: does the outcome of a branch depend on the outcome of the preceding branch?
;
; Purpose   Correlations between branch outcomes, from pairs of branch samples: co-processor paper, section 4.
; Inputs    pc32, taken and lost of every retired conditional branch.
; Outputs   after_taken and after_untaken: one slot per pair of consecutive branches, by the outcome of the earlier
;           branch. The slot counts the outcomes of the later one. The key is both addresses.
;           Two samples form a pair only if `lost` shows that no sample was dropped between them.
;           The host reads and clears the slots when the last slot of either half has been taken or a counter is full.
; Registers slot: slot of the pair. tnext, unext: next free slots. now: position of the sample in the window. pause: the
;           gate; samples to be skipped. earlier, wastaken: address and outcome of the preceding sample; 0 before the
;           first sample.
; Budget    By `pcasm --cost`: 6 to 11 cycles for a pair with a slot, 9 to 16 for one without; 4 to 11 for a sample
;           after a dropped one; 1 more for the last sample of a window.
;
; The program examines windows of 32 consecutive samples. After a window the gate is closed for a random number of
; samples, below 2^PAUSE at first; the driver makes the pauses longer until its handlers take `budget` of 1024 cycles.
; -D SLOTS=N, a power of two, sets the number of array rows.

            .program correlate
            .ifndef SLOTS
            .equ    SLOTS = 256
            .endif
            .equ    HALF  = SLOTS / 2
            .ifndef PAUSE
            .equ    PAUSE = 8
            .endif
            .param  budget = 18, "cycles of the handlers in 1024 cycles: pauses are as long as that needs"

            .base   after_taken   = 0, wide
            .base   after_untaken = HALF, wide
            .index  slot,  width log2(HALF)
            .index  tnext, width log2(HALF)         ; wraps to 0 when the last slot is taken
            .index  unext, width log2(HALF)
            .index  now,   width 5, window
            .index  pause, width PAUSE, gate
            .value  wastaken = v2, keep
            .value  earlier  = v3, keep

            .filter class branch
            .entry  branch look

            .slot   after_taken[HALF] exact branchpairs {
                    key     : pc exact pc
                    earlier : 32 pc exact earlier
                    taken   : 16 exact both
                    untaken : 16 exact first
            }
            .slot   after_untaken[HALF] exact branchpairs {
                    key     : pc exact pc
                    earlier : 32 pc exact earlier
                    taken   : 16 exact second
                    untaken : 16 exact neither
            }

look:       inc     now                             | if nolimit goto pair
            mov     rnd16 -> pause
pair:       mov     lost                            | if nonzero goto alone
            mov     wastaken                        | if zero goto ulook
            match   after_taken, earlier, pc32 -> slot   | if miss goto tnew
            mov     taken -> wastaken               | if zero goto tnot
            inc     after_taken[slot].taken         | mov pc32 -> earlier | if notfull done
            interrupt
tnot:       inc     after_taken[slot].untaken       | mov pc32 -> earlier | if notfull done
            interrupt
tnew:       write   after_taken[tnext], earlier, pc32
            st      after_taken[tnext].earlier, earlier
            mov     taken -> wastaken               | if zero goto tlast
            inc     after_taken[tnext].taken        | goto tstep
tlast:      inc     after_taken[tnext].untaken
tstep:      inc     tnext                           | mov pc32 -> earlier | if nolimit done
            interrupt

alone:      mov     taken -> wastaken
            mov     pc32 -> earlier                 | done

ulook:      match   after_untaken, earlier, pc32 -> slot | if miss goto unew
            mov     taken -> wastaken               | if zero goto unot
            inc     after_untaken[slot].taken       | mov pc32 -> earlier | if notfull done
            interrupt
unot:       inc     after_untaken[slot].untaken     | mov pc32 -> earlier | if notfull done
            interrupt
unew:       mov     earlier                         | if zero goto alone
            write   after_untaken[unext], earlier, pc32
            st      after_untaken[unext].earlier, earlier
            mov     taken -> wastaken               | if zero goto ulast
            inc     after_untaken[unext].taken      | goto ustep
ulast:      inc     after_untaken[unext].untaken
ustep:      inc     unext                           | mov pc32 -> earlier | if nolimit done
            interrupt

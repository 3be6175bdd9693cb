; SPDX-License-Identifier: GPL-3.0-or-later
; correlate: does the outcome of a branch depend on that of the branch before it?
;
; Purpose   Correlations between branch outcomes, from pairs of branch samples: co-processor paper, section 4.
; Inputs    pc32, taken and lost of every conditional branch that retires.
; Outputs   after_taken and after_untaken: one slot per pair of branches that follow each other, by the outcome of the
;           earlier one. The slot counts the outcomes of the later one. The key is the addresses of both.
;           Two samples are a pair only if `lost` says that none was dropped between them.
;           The host reads the slots when the last one of either half has been taken or a counter is at its end.
; Registers slot: the slot of the pair.  tnext, unext: the next free slots.  earlier, wastaken: the sample before; 0 and
;           0 before the first one.
; Budget    By `pcasm --cost`: 5 to 10 cycles for a pair that has a slot, 8 to 15 for one that has not; 3 to 10 for a
;           sample behind a dropped one.
;
; -D SLOTS=N, a power of two, fits the program to other arrays.

            .program correlate
            .ifndef SLOTS
            .equ    SLOTS = 256
            .endif
            .equ    HALF  = SLOTS / 2

            .base   after_taken   = 0, wide
            .base   after_untaken = HALF, wide
            .index  slot,  width log2(HALF)
            .index  tnext, width log2(HALF)         ; wraps to 0 when the last slot has been taken
            .index  unext, width log2(HALF)
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

look:       mov     lost                            | if nonzero goto alone
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

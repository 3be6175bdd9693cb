; SPDX-License-Identifier: GPL-3.0-or-later
; correlate: does the outcome of a branch depend on that of the branch before it?
;
; Purpose   Correlations between branch outcomes, from pairs of branch samples: co-processor paper, section 4.
; Inputs    pc32, taken and lost of every conditional branch that retires.
; Outputs   after_taken and after_untaken: one slot per pair of branches that follow each other, by the outcome of the
;           earlier one. The slot counts the outcomes of the later one. The key is the earlier branch: the next branch
;           behind one of its outcomes is always the same unless a return or an indirect jump stands between them. A
;           pair whose slot is taken by another pair gets a new slot each time, which the host merges.
;           Two samples are a pair only if `lost` says that none was dropped between them.
;           The host reads the slots when the last one of either half has been taken or a counter is at its end.
; Registers slot: the slot of the pair.  tnext, unext: the next free slots.  earlier, wastaken: the sample before; 0 and
;           0 before the first one.
; Budget    By `pcasm --cost`: 6 to 12 cycles for a pair that has a slot, 8 to 18 for one that has not; 3 to 12 for a
;           sample behind a dropped one.
;
; -D SLOTS=N, a power of two, fits the program to other arrays.

            .program correlate
            .ifndef SLOTS
            .equ    SLOTS = 256
            .endif
            .equ    HALF  = SLOTS / 2

            .base   after_taken   = 0
            .base   after_untaken = HALF
            .index  slot,  width log2(HALF)
            .index  tnext, width log2(HALF)         ; wraps to 0 when the last slot has been taken
            .index  unext, width log2(HALF)
            .value  wastaken = v2, keep
            .value  earlier  = v3, keep

            .target alone

            .filter class branch
            .entry  branch look

            .slot   after_taken[HALF] exact branchpairs {
                    key     : pc exact earlier
                    pc      : 32 pc exact pc
                    taken   : 16 exact both
                    untaken : 16 exact first
            }
            .slot   after_untaken[HALF] exact branchpairs {
                    key     : pc exact earlier
                    pc      : 32 pc exact pc
                    taken   : 16 exact second
                    untaken : 16 exact neither
            }

look:       mov     lost                            | if nonzero goto alone
            mov     wastaken                        | if zero goto ulook
            match   after_taken, earlier -> slot    | if miss goto tnew
            ld      after_taken[slot].pc | mov pc32 | if differ goto tnew
            mov     taken -> wastaken               | if zero goto tnot
            inc     after_taken[slot].taken         | mov pc32 -> earlier | if notfull done
            interrupt
tnot:       inc     after_taken[slot].untaken       | mov pc32 -> earlier | if notfull done
            interrupt
tnew:       write   after_taken[tnext], earlier
            st      after_taken[tnext].pc, pc32
            mov     taken -> wastaken               | if zero goto tlast
            inc     after_taken[tnext].taken        | goto tstep
tlast:      inc     after_taken[tnext].untaken
tstep:      inc     tnext                           | mov pc32 -> earlier | if nolimit done
            interrupt

alone:      mov     taken -> wastaken
            mov     pc32 -> earlier                 | done

ulook:      match   after_untaken, earlier -> slot  | if miss goto unew
            ld      after_untaken[slot].pc | mov pc32 | if differ goto unew
            mov     taken -> wastaken               | if zero goto unot
            inc     after_untaken[slot].taken       | mov pc32 -> earlier | if notfull done
            interrupt
unot:       inc     after_untaken[slot].untaken     | mov pc32 -> earlier | if notfull done
            interrupt
unew:       mov     earlier                         | if zero goto alone
            write   after_untaken[unext], earlier
            st      after_untaken[unext].pc, pc32
            mov     taken -> wastaken               | if zero goto ulast
            inc     after_untaken[unext].taken      | goto ustep
ulast:      inc     after_untaken[unext].untaken
ustep:      inc     unext                           | mov pc32 -> earlier | if nolimit done
            interrupt

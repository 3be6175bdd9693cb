; SPDX-License-Identifier: GPL-3.0-or-later
; calls: which call site calls which function, and how often?
;
; Purpose   The edges of the dynamic call graph, by call site: edge profiling (co-processor paper, section 4) of calls.
;           They are told from jumps and returns by link registers, as RISC-V's control transfer records (Smctr) do.
; Inputs    pc32, target32 and class of every call that retires: direct calls; indirect calls, co-routine swaps, and
;           linked jumps through other registers, such as those of the procedure linkage table.
; Outputs   direct: one slot per call site.  indirect: one per call site and callee, with the class of the call. The
;           host reads them when the last slot of either half has been taken or a counter is at its end, and starts
;           afresh; nothing is lost but what the sample buffer drops.
;           The key of direct calls is the site, which has one callee. That of indirect calls is the callee, since few
;           indirect calls lead to one function, but a table of functions leads to many. Slots of the same callee
;           are a list: the lane b7 has the number of the next one, 0 for none. Slot 0 is the oldest, and so is never
;           a next one. match finds the oldest, which is the head.
; Registers slot: the slot looked at.  dnext, inext: the next free ones.  tries: steps along the list, which cannot have
;           more than there are slots.  v1: link.
; Budget    By `pcasm --cost`: 2 to 4 cycles for a direct call that has a slot, 4 to 7 for one that has not. 3 to 6 for
;           an indirect call whose slot is the head of its list, and 4 to 7 for a new callee; elsewhere 6 for the second
;           slot of the list, and 4 more for each further one, every branch predicted.
;
; -D SLOTS=N, a power of two up to 512, fits the program to other arrays.

            .program calls
            .ifndef SLOTS
            .equ    SLOTS = 256
            .endif
            .if     SLOTS > 512
            .error  "SLOTS can be 512 at most: a link has 8 bits"
            .endif
            .equ    HALF  = SLOTS / 2

            .base   direct   = 0
            .base   indirect = HALF
            .index  slot,  width log2(HALF)
            .index  dnext, width log2(HALF)         ; wraps to 0 when the last slot has been taken
            .index  inext, width log2(HALF)
            .index  tries, width log2(HALF)

            .filter class call, icall, swap, ljump
            .entry  call dcall
            .entry  icall, swap, ljump icalls

            .slot   direct[HALF] exact calls {
                    key    : pc exact site
                    callee : 32 pc exact callee
                    calls  : 16 exact direct
                    class  : 8 dec exact class
            }
            .slot   indirect[HALF] exact calls {
                    key    : pc exact callee
                    site   : 32 pc exact site
                    calls  : 16 exact indirect
                    class  : 8 dec exact class
            }

dcall:      match   direct, pc32 -> slot            | if miss goto dnew
            inc     direct[slot].calls              | if notfull done
            interrupt
dnew:       write   direct[dnext], pc32             | inc direct[dnext].calls
            st      direct[dnext].callee, target32
            st      direct[dnext].class, class      | inc dnext | if nolimit done
            interrupt

icalls:     match   indirect, target32 -> slot      | if miss goto inew
            ld      indirect[slot].site | mov pc32  | clr tries | if same goto found
walk:       ld      indirect[slot].b7 -> v1         | if empty goto append
            mov     v1 -> slot
            ld      indirect[slot].site | mov pc32  | if same goto found
            inc     tries                           | if nolimit goto walk
            interrupt                               ; not reached
found:      inc     indirect[slot].calls            | if notfull done
            interrupt

append:     mov     inext -> v1
            st      indirect[slot].b7, v1
inew:       write   indirect[inext], target32       | inc indirect[inext].calls
            st      indirect[inext].site, pc32
            st      indirect[inext].class, class    | inc inext | if nolimit done
            interrupt

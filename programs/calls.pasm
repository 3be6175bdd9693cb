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
;           The key of direct calls is the site, which has one callee. That of indirect calls is both addresses.
; Registers slot: the slot of the call.  dnext, inext: the next free ones.  v0: the site of an indirect call.
; Budget    By `pcasm --cost`: 2 to 4 cycles for a direct call that has a slot, 4 to 6 for one that has not; 3 to 5 and
;           5 to 7 for an indirect call.
;
; -D SLOTS=N, a power of two, fits the program to other arrays.

            .program calls
            .ifndef SLOTS
            .equ    SLOTS = 256
            .endif
            .equ    HALF  = SLOTS / 2

            .base   direct   = 0
            .base   indirect = HALF, wide
            .index  slot,  width log2(HALF)
            .index  dnext, width log2(HALF)         ; wraps to 0 when the last slot has been taken
            .index  inext, width log2(HALF)

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

icalls:     mov     pc32 -> v0
            match   indirect, v0, target32 -> slot  | if miss goto inew
            inc     indirect[slot].calls            | if notfull done
            interrupt
inew:       write   indirect[inext], v0, target32   | inc indirect[inext].calls
            st      indirect[inext].site, v0
            st      indirect[inext].class, class    | inc inext | if nolimit done
            interrupt

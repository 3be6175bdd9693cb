; SPDX-License-Identifier: GPL-3.0-or-later
; calls: which call site calls which function, and how often?
;
; Purpose   Edge profiling (co-processor paper, section 4) of calls: the edges of the dynamic call graph, per call
;           site. Calls are recognised by link registers, as in RISC-V's control transfer records (Smctr).
; Inputs    pc32, target32 and class of every retired call: direct calls, indirect calls, co-routine swaps, and
;           linked jumps through other registers (procedure linkage table).
; Outputs   direct: one slot per call site. indirect: one slot per call site and callee, with the class of the
;           call. The host reads and clears the slots when the last slot of either half is taken or a counter is
;           full. The key of a direct call is the call site, which has one callee; that of an indirect call is both
;           addresses.
; Registers slot: slot of the call. dnext, inext: next free slots. v0: call site of an indirect call.
; Budget    By `pcasm --cost`: direct call: 2 to 4 cycles with a slot, 4 to 6 without; indirect call: 3 to 5 cycles
;           with a slot, 5 to 7 without.
;
; -D SLOTS=N, a power of two, sets the number of array rows.

            .program calls
            .ifndef SLOTS
            .equ    SLOTS = 256
            .endif
            .equ    HALF  = SLOTS / 2

            .base   direct   = 0
            .base   indirect = HALF, wide
            .index  slot,  width log2(HALF)
            .index  dnext, width log2(HALF)         ; wraps to 0 when the last slot is taken
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

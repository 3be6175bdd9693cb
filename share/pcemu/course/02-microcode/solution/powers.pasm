; SPDX-License-Identifier: GPL-3.0-or-later
; Counts for each integer division how often it executes, and how often its divisor is a power of two.
            .program powers
            .ifndef SLOTS
            .equ    SLOTS = 16
            .endif
            .const  one = 1
            .base   sites = 0
            .index  slot, width log2(SLOTS)
            .index  next, width log2(SLOTS)         ; wraps to 0 when the last slot has been taken
            .target count                           ; too far from the last word for a short offset
            .filter class div
            .entry  div look
            .slot   sites[SLOTS] exact instructions { key : pc exact pc, all : 32 exact retired, powers : 32 }

look:       match   sites, pc32 -> slot             | if miss goto newcomer
count:      inc     sites[slot].all                 | if full interrupt
            mov     operand2 -> v0                  | if zero goto end      ; 0 is no power of two
            sub     v0, one -> v1                   ; the lowest bit that is set, and those below it, change
            and     v0, v1                          | if nonzero goto end   ; another bit is set
            inc     sites[slot].powers              | if full interrupt
end:        test    next                            | if inonzero done
            interrupt                               ; the last slot has been taken
newcomer:   write   sites[next], pc32
            mov     next -> slot
            inc     next                            | goto count

; SPDX-License-Identifier: GPL-3.0-or-later
; hello: how often does each integer load execute?
;
; Purpose   The first program of the tutorial (docs/tutorial.md).
; Inputs    pc32 of every retired integer load.
; Outputs   loads: one slot per static load. The host reads and clears them when the last is taken or a counter is full.
; Registers slot: slot of the sample's load. next: next free slot.
; Budget    By `pcasm --cost`: 2 cycles for a load with a slot, 4 for one without.

            .program hello
            .base   loads = 0
            .index  slot, width 8
            .index  next, width 8                   ; wraps to 0 when the last slot is taken
            .filter class load
            .entry  load look
            .slot   loads[256] exact instructions { key : pc exact pc, count : 32 exact retired }

look:       match   loads, pc32 -> slot             | if miss goto newcomer
            inc     loads[slot].count               | if notfull done
            interrupt
newcomer:   write   loads[next], pc32
            inc     loads[next].count
            inc     next                            | if nolimit done
            interrupt

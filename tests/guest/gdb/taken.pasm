; SPDX-License-Identifier: GPL-3.0-or-later
; Counts how often each branch was executed and taken: a program to be debugged beside its guest.
            .program taken
            .base   slots = 0
            .index  slot, width 4
            .index  free, width 4
            .filter class branch
            .entry  branch look
            .slot   slots[16] { key : pc, taken : 16, seen : 16 }

look:       match   slots, pc32 -> slot             | if miss goto newcomer
            inc     slots[slot].seen
            mov     taken                           | if zero done
            inc     slots[slot].taken               | done

newcomer:   write   slots[free], pc32
            inc     slots[free].seen                | inc free
            mov     taken                           | if zero done
            inc     slots[free].taken               | done

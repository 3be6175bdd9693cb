# SPDX-License-Identifier: GPL-3.0-or-later
# What the scripts of this folder share: a program that counts taken branches in slots, four of them, and samples for
# it.
cat > taken.pasm <<'END'
; taken: how often is each branch taken?
            .program taken
            .const  high = 0x100000000
            .value  scratch = v0
            .base   slots = 0
            .index  slot, width 2
            .index  free, width 2
            .filter class branch, call
            .entry  branch look
            .entry  call called
            .slot   slots[4] { key : pc, taken : 8, calls : 8, seen : 16 }
            .target far

look:       match   slots, pc32 -> slot     | if miss goto newcomer
            inc     slots[slot].seen
            mov     taken                   | if zero done
            inc     slots[slot].taken       | done

newcomer:   write   slots[free], pc32
            inc     slots[free].seen        | inc free
            mov     taken                   | if zero done
            inc     slots[free].taken       | goto far

called:     inc     slots[slot].calls -> scratch | done
far:        test    free                    | if inonzero done
full:       interrupt
END
pcasm taken.pasm
cat > samples <<'END'
branch pc=0x1000 taken=1
branch pc=0x1000 taken=0
branch pc=0x2000 taken=0
call   pc=0x5000
branch pc=0x1000 taken=1 x3
branch pc=0x3000 taken=1
branch pc=0x4000 taken=1
branch pc=0x1000 taken=1
END
# debug [OPTION...]: runs the commands on standard input
debug() { pcemu --core samples:samples -o report -x - "$@"; }

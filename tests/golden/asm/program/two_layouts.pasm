; two layouts of the same rows, and one of an unnamed base
            .base   slots = 0
            .index  slot, width 2
            .filter class load
            .entry  load go
            .slot   slots[4] { key : pc, hit : 16 }
            .slot   slots[4] { high : d }
            .slot   b3[8] { count : 32 }
go:         match   slots, pc32 -> slot     | if miss done
            inc     slots[slot].hit         | write slots[slot], pc32 | done

; errors: names of another kind
            .base   slots = 0
            .base   other = 128
            .index  slot,   width 7
            .const  one = 1
            .filter class load
            .entry  load go
            .slot   slots[128] {
                    key   : pc
                    count : 32
            }
go:         inc     slots[one].count
            inc     slots[pc32].count
            inc     slots[slots].count
            inc     one[slot].count
            inc     slots[rnd8].count
            match   one, pc32 -> slot
            match   slots, pc32 -> v0
            match   slots, pc32 -> one
            match   slots, pc32
            write   slots[one], pc32
            drop    slots
            ld      slots[slot].count -> one
            ld      slots[slot].count -> row v0
            ld      slots[slot].count -> col v0
            st      slots[slot].count, v0 -> v1
            inc     slots[slot].count -> slots[slot].count
            inc     slots[slot].count -> v0, v1
            inc     slots[slot].nocount
            add     one, v0 -> v1
            cmp     v0
            done

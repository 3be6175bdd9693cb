; what is not declared is not what was meant
            .base   slots = 0
            .slot   slots[16] { n : 32 }
look:       inc     slots[i].n
            inc     slots[v].n
            mov     c -> v0
            done

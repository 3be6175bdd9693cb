; warnings: indices that can leave their sub-array
            .filter class load
            .entry  load look
            .base   slots = 0
            .base   odd = 24
            .base   behind = 32
            .base   keys = 64
            .index  right, width 4
            .index  wide, width 5
            .index  small, width 3
            .slot   slots[16] { n : 32 }
            .geometry cam 64, data 32
look:       inc     slots[right].n      | inc right
            inc     slots[wide].n       | inc wide
            inc     slots[wide].n
            inc     odd[small].d        | inc small
            inc     odd[right].d
            inc     behind[small].d
            write   keys[small], pc32
            done

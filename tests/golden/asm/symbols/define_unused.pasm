            .program unused
            .param  often = 3
            .ifndef SLOTS
            .equ    SLOTS = 4
            .endif
            .if 0
            .const  other = DEAD
            .endif
            .const  n = SLOTS + USED
            .filter class load
            .entry  load go
go:         mov     n -> v0 | done

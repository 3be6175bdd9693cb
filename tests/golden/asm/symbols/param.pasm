; Parameters for the driver: their names are their own, whatever registers, labels and symbols are called.
            .equ    N = 3
            .param  share = 10, "thousandths of the time, \"as is\""
            .param  least = -N
            .param  go    = 0x8000000000000000 | N
            .const  share = N
            .filter class load
            .entry  load go
go:         mov     pc32 -> v0
            cmp     v0, share       | if ge interrupt
            done

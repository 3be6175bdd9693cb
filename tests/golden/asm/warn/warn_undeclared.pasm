; Constant and base registers that nothing sets, each once; c1 and b2 are declared to be 0.
            .const  c1 = 0
            .base   b2 = 0
            .index  i, width 4
            .geometry cam 16, data 16
            .filter class load
            .entry  load go
go:         mov     c1 -> v0
            mov     c3 -> v0
            add     v0, c3 -> v0
            st      b2[i].d, v0
            st      b0[i].d, v0
            st      b1[i].d, v0
            add     b1[i].d, pc32
            inc     i | done

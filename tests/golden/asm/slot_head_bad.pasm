; A slot whose head is in error: nobody knows which members it would have had.
            .base   t = 0
            .index  i, width 4
            .filter class load
            .entry  load go
            .slot   t[16 { key : pc, a : 32 }
go:         inc     t[i].a | done

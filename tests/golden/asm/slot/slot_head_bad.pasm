; A slot whose head is in error: its members are not known.
            .base   t = 0
            .index  i, width 4
            .filter class load
            .entry  load go
            .slot   t[16 { key : pc, a : 32 }
go:         inc     t[i].a | done

; A key is what tells slots apart: no counter.
            .base   a = 0
            .index  i, width 4
            .filter class branch
            .entry  branch go
            .slot   a[16] { key : count, n : 32 }
go:         inc     a[i].n    | done

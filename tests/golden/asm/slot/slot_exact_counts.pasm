; A member names one count of an exact reference, and a layout with a reference names a count.
            .base   a = 0
            .base   b = 16
            .index  i, width 4
            .filter class branch
            .entry  branch go
            .slot   a[16] exact branches { key : pc exact pc, both : 32 exact taken exact untaken }
            .slot   b[16] exact branches { key : pc exact pc, n : 32 }
go:         inc     a[i].both    | done

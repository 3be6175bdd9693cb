; The exact references of slots: what is named must be there, in the right format, and complete.
            .base   a = 0
            .base   b = 16
            .base   c = 32
            .base   d = 48
            .index  i, width 4
            .filter class branch
            .entry  branch go
            .slot   a[16] exact branchs { key : pc exact pc, n : 32 exact retired }
            .slot   b[16] exact branches { key : hex exact pc, t : 32 exact taken }
            .slot   c[16] exact branches, parts 0 {
                    key : pc exact pc
                    to  : 16 pc
                    u   : 16 exact untakn
                    w   : 16 max exact taken
                    k   : 16 exactly taken
            }
            .slot   d[16] { key : pc exact pc, n : 32 }
go:         inc     a[i].n    | done

; Counts of events whose exact number is known: of the instruction that is the key, and of nothing less or more.
            .base   a = 0
            .base   b = 16
            .base   c = 32
            .index  i, width 4
            .filter class branch
            .entry  branch go
            .slot   a[16] { n : 32 retired }
            .slot   b[16] { key : hex, t : 32 taken }
            .slot   c[16] {
                    key : pc
                    to  : 32 pc
                    u   : 16 untaken
                    k   : 16 taked
            }
go:         inc     a[i].n    | done

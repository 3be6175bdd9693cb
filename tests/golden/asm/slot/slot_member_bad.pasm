; Members in error: the words that name them are not in error too, and neither are those of a slot without a base.
            .base   t = 0
            .base   u = 16
            .index  i, width 4
            .filter class load
            .entry  load go
            .slot   t[16] { key : pc, a : 32 foo, b : 12 }
            .slot   u[16] {
                    key : pc
                    c   32
                    d   : -8
            }
            .slot   w[16] { e : 32 }
            .geometry data -1
go:         inc     t[i].a
            inc     t[i].b
            inc     u[i].c
            inc     u[i].d
            inc     w[i].e
            inc     w[i].f  | done                  ; this one is: w has no such member, whatever its base

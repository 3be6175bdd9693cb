            .base   t = 0
            .base   u = 16
            .index  i, width 4
            .filter class load
            .entry  load go
            .slot   t[16] { sum : 32, most : 32 max }
            .slot   u[16] { key : hex,
                            rest : 32,
                            low : b6 min }         ; the lane by name: not the next one
go:         add     t[i].sum, memlat
            max     t[i].most, memlat
            min     u[i].low, zero | write u[i], zero
            inc     u[i].rest | done

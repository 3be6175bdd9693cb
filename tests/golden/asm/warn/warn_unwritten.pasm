; warnings: registers that are read and never written. i7 is not declared: it addresses the only row.
            .filter class load
            .entry  load look
            .base   t = 0
            .index  slot, width 2
            .index  i3, width 2
            .value  sum = v2
            .value  v1, keep
            .slot   t[4] { n : 32 }
look:       inc     t[slot].n
            inc     t[i7].n
            cmp     sum, memlat         | if lt done
            test    i3                  | if izero done
            add     v1, memlat -> v1
            interrupt

; errors: a sample field where a register is needed, without a record
            .base   t = 0
            .slot   t[4] { key : 32 pc }
a:          mov     rnd8 -> l2miss
            ld      t[cycle].w0 -> v0
            match   t, pc32 -> latency      | done

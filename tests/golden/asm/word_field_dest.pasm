; A sample field as a destination, or where an index register is needed: the implied record has only fields that are read.
            .base   t = 0
            .slot   t[4] { key : 32 pc }
a:          mov     rnd8 -> l2miss
            ld      t[cycle].w0 -> v0
            match   t, pc32 -> latency      | done

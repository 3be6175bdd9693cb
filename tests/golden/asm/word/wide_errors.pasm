; Keys with too few and too many operands, and of other things than value registers
            .base   pairs = 0, wide
            .base   ring  = 16
            .base   other = 32, narrow
            .base   more  = 48, wide 1
            .index  at, width 4
            .const  one = 1
            .filter class load
            .entry  load look

look:       match   pairs, pc32 -> at
            write   pairs[at], pc32
            match   ring, v0, pc32 -> at
            write   ring[at], v0, pc32
            match   pairs, one, pc32 -> at
            match   pairs -> at
            write   pairs[at], v0, pc32             | add v1, one -> v1
            done

; A sub-array whose keys have two operands, beside one whose keys have one
            .program wide
            .base   ring  = 0
            .base   pairs = 16, wide
            .base   b2    = 32, wide
            .index  at,   width 4
            .index  slot, width 4
            .value  other
            .filter class load
            .entry  load look
            .slot   pairs[16] { key : pc, other : 32 pc, times : 32 }
            .geometry cam 64, data 64

look:       mov     ea32 -> other
            match   pairs, other, pc32 -> slot      | add other, pc32 -> v1 | if hit done
            write   pairs[slot], other, pc32        | inc pairs[slot].times
            st      pairs[slot].other, ea32
            match   ring, pc32 -> at                | if hit done
            write   ring[at], v1                    | sub v1, v1 -> v1
            write   b2[at], v1, zero                | done

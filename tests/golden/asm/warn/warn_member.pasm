; warnings: members of slots, and keys, that no word writes
            .filter class load
            .entry  load look
            .base   some = 0
            .base   none = 4
            .base   keys = 8
            .base   whole = 12
            .index  slot, width 2
            .slot   some[4] { hits : 32, misses : 16, rest : 16 }
            .slot   none[4] { key : pc, hits : 32 }
            .slot   keys[4] { key : pc, hits : 32 }
            .slot   whole[4] { key : pc, low : 32, high : 32 }
look:       inc     some[slot].hits         | if full interrupt
            inc     some[slot].rest
            inc     keys[slot].hits
            write   whole[slot], pc32       | st whole[slot].d, pc32 | inc slot | done
            inc     some[slot].misses       | done

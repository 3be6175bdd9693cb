; warnings: match searches as many entries as its index register has values
            .filter class load
            .entry  load look
            .base   slots = 0
            .base   table = 8
            .base   far = 64
            .index  right, width 4
            .index  small, width 3
            .index  wide, width 5
            .slot   slots[16] { key : pc, n : 32 }
            .base   none = 48
            .base   part = 32
            .geometry cam 64
look:       match   slots, pc32 -> right        | if hit done
            match   slots, pc32 -> small        | if hit done
            match   slots, pc32 -> wide         | if hit done
            match   table, pc32 -> small        | if hit done
            match   table, pc32 -> wide         | if hit done
            match   far, pc32 -> small          | if hit done
            match   none, pc32 -> small         | if hit done
            match   part, pc32 -> wide          | if hit done
            write   slots[right], pc32          | inc slots[right].n
            write   table[small], pc32
            done

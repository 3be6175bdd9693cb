; memory is no operand of the ALU
            .const  one = 1
            .const  two = 2
            .base   slots = 0
            .base   others = 256
            .index  slot,   width 8
            .index  other,  width 8
            .filter class load
            .entry  load    look
            .slot   slots[256] {
                    key   : pc
                    value : 32 hex
                    hit   : 8
                    miss  : 8
                    total : 16
            }
look:       mov slots[slot].d -> v0
            done

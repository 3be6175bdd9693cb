; conditions that there are not: those with exchanged operands, and the list
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
look:       cmp v0, v1 | if gt goto last
            cmp v0, v1 | if les goto look
            cmp v0, v1 | if carry done
            cmp v0, v1 | if gt
            cmp v0, v1 | if ne
            cmp v0, v1 | if goto look
            cmp v0, v1 | if gt inc slots[slot].hit
            cmp v0, v1 | if
last:       done

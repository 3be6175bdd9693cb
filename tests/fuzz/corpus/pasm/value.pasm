            .program value
            .equ    SLOTS = 256                       ; symbolic constant (assembly time)
            .const  fresh = 0x00010001                ; constant register (auto-numbered; at most 4)
            .base   slots = 0                         ; base register
            .index  slot,   width 8                   ; index register; wrap is the default
            .index  failed, width log2(SLOTS), saturate
            .value  row = v1                          ; name for a value register (optional); v0..v3 always work
            .target far                               ; a target register that holds label `far`
            .filter class load, fload                 ; opcode filter
            .filter pc mask 0x3 match 1 hash 1        ; PC filter 1 initial state; `.filter ignore hash 2` = filter 2 hash
            .entry  load, fload  look                 ; dispatch: classes, then label
            .slot   slots[SLOTS] {                    ; layout: members low to high in the 64-bit row, lanes must be aligned
                    key   : pc                        ; the associative entry, format pc|hex|dec
                    value : 32 hex
                    hit   : 8
                    miss  : 8
                    total : 16
            }

look:       match  slots, pc32 -> slot            | if miss goto new
            inc    slots[slot].total -> row v1    | if full goto off
            cmp.32 v1, result32                   | if ne goto other
            inc    slots[slot].hit                | if notfull done
off:        invalidate slots[slot]                | done
other:
            dec slots[slot].miss -> v2
            | cmp row, c0 ; continued
            | if nonzero goto far
new:        test failed | add v0, fresh -> v0 | if limit interrupt
far:        done

            cmp v0 v1 v2
            , v0
            mov v0 ->
            nop |
            | | nop
            inc slots[slot
            mov v0 -> v1 } done
            .target
            .entry load
            if eq
            :
            done

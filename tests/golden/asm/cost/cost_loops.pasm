; costs of loops: more cycles than anybody counts, rates near 0, a bound that no data reach
            .filter class load, store, branch
            .entry  load    nested
            .entry  store   slow
            .entry  branch  vacuous
            .index  i, width 16
            .index  j, width 16
            .index  k, width 16
            .index  l, width 16
            .index  few, width 4

nested:     nop
            inc     i                   | if nolimit goto nested
            inc     j                   | if nolimit goto nested
            inc     k                   | if nolimit goto nested
            inc     l                   | if nolimit goto nested
            done

slow:       nop
            inc     i                   | if nolimit goto slow
            inc     few                 | if nolimit goto slow
            done

vacuous:    mov     zero                | if nonzero done
            done

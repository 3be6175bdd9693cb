; warnings: loops without a known bound. The first three have one.
            .filter class load
            .entry  load wraps
            .index  i, width 3
            .index  j, width 3, saturate
            .index  k, width 3
            .base   t = 0
            .slot   t[8] { n : 32 }
wraps:      inc     t[i].n
            inc     i                   | if nolimit goto wraps
clips:      inc     t[j].n
            dec     j                   | if limit goto outer
            goto    clips
outer:      inc     t[k].n
inner:      nop
            inc     i                   | if nolimit goto inner
            dec     k                   | if inonzero goto outer
cleared:    clr     k
            inc     k                   | if nolimit goto cleared
data:       dec     t[k].n              | if notempty goto data_end
            goto    data
data_end:   nop
never:      inc     j                   | if inonzero goto other
            goto    never
other:      inc     i                   | if limit goto body
            done
body:       nop
            goto    other

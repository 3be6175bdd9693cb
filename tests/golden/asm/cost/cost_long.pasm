; bounds beyond what pcemu lets a sample take, and one below
        .index  outer,  width 4
        .index  inner,  width 16
        .filter class load, store
        .entry  load    long
        .entry  store   short
long:   nop
        inc     inner   | if nolimit goto long
        inc     outer   | if nolimit goto long
        done
short:  nop
        inc     inner   | if nolimit goto short
        done

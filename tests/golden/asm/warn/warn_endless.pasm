; warnings: loops that nothing ends, one of them with a way in only
            .filter class load, store
            .index  i, width 4
            .entry  load look
            .entry  store tight
            .target spin
            .target tight
look:       mov     memlat              | if zero done
spin:       inc     i                   | goto t0
tight:      nop
            goto    tight

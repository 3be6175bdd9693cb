; warnings: value registers that are read before the sample has written them, and what silences them
            .filter class load
            .entry  load look
            .value  last = v1
            .value  meant = v2, keep
            .value  v3, keep
            .index  n, width 4

look:       cmp     v0, memlat          | if eq goto seen
            cmp     last, memlat        | if eq goto seen
            cmp     meant, memlat       | if eq goto seen
            mov     memlat -> v3        | inc n | if limit goto seen
            mov     memlat -> v0
            mov     memlat -> last
            mov     memlat -> meant
seen:       cmp     v3, memlat          | if eq done
            interrupt

; warnings: v0 is written on one path only; v1 carries a sum from sample to sample, v2 is written on both
            .filter class load
            .entry  load look
            .value  v1, keep
look:       mov     memlat -> v2        | if zero goto none
            mov     l1miss -> v0
            goto    both
none:       mov     l2miss -> v2
both:       add     v1, memlat -> v1
            cmp     v2, total           | if lt done
            cmp     v0, memlat          | if ge done
            add     v0, memlat -> v0
            done

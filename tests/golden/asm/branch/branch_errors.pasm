; errors: operations with a branch
            .filter class load
            .entry  load go
go:         goto    done
            goto    interrupt
            goto.32 go
            goto    go -> v0
            done    v0
            interrupt go
            goto    v0, v1
            goto    99999999999999
            nop     v0
            nop     -> v0
            nop.32
            inc.32  i0
            add.16  v0, v1 -> v2
            mov     v0 -> 5
            mov     5 -> v0
            inc     b0[v0].hit
            clr     b0[i0]
            drop    b0[i0].a
            mov     i99 -> v0
            if zero mov v0 -> v1
            done

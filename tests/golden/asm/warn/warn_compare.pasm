; warnings: conditions that compare A with B, of operations that have no A
            .filter class load
            .entry  load look
look:       mov     memlat -> v1        | if eq done
            shl1    memlat -> v0        | if ge done
            cmp     v0, memlat          | if lts done
            xor     v1, memlat          | if ne done
            done

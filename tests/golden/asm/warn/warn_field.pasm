; warnings: fields that the classes which come there do not carry
            .filter class load, store, branch, call, fence
            .entry  load, store, branch memory
            .entry  call, fence control
            .entry  int memory
            .filter class int
memory:     mov     ea -> v0            | if zero done
            mov     memlat              | if zero done
control:    mov     result              | if zero done
            mov     taken               | if zero done
            mov     pc32                | if zero done
            done

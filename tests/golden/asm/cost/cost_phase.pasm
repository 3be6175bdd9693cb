; costs of an entry that only the host starts, and a field there that none of the program's classes carries
            .filter class load, store
            .entry  load, store first
            .target second

first:      mov     ea -> v0            | if zero done
            done
second:     mov     memlat              | if zero done
            mov     taken               | if zero done
            interrupt

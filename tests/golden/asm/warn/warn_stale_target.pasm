; warnings: the branches to `use` reach it without its .target, so the host may start samples there; v1 is kept there
            .filter class load
            .entry  load look
            .target use
look:       mov     memlat -> v0
            mov     l1miss                  | if nonzero goto use
            mov     zero -> v0
            nop
use:        mov     v1                      | if zero done
            add     v0, memlat -> v1        | done

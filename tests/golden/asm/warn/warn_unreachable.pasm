; warnings: words that no entry leads to, one and several
            .filter class load
            .entry  load look
look:       mov     l1miss              | if zero goto end
            done
lost:       nop
more:       mov     memlat -> v0
            done
end:        interrupt
            done

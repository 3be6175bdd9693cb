; errors: a field that the named sampler does not supply, in a word; the sampler is named after its use
            .filter class load
            .entry  load go
go:         mov     pc32 -> v0
            add     v0, result32 -> v1
            done
            .sampler tip

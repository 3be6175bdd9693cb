; errors: fields that the named sampler does not supply, in the record
            .sampler tip
            .record pc32, result32, ea
            .filter class load
            .entry  load go
go:         mov     pc32 -> v0
            done

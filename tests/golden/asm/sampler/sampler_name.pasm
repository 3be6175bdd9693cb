; errors: an unknown sampler; its fields are not reported too
            .sampler tipp
            .filter class load
            .entry  load go
go:         mov     tippc0 -> v0            | if zero done
            interrupt

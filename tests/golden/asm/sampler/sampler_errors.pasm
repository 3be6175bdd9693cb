; errors: options of a sampler, and fields that it does not supply
            .param  often = 0
            .sampler tip, perod=1, period, random=1, period=0, period=5, period=6, seed=nothing
            .sampler retire
            .filter class load
            .entry  load go
go:         mov     pairpc -> v0            | if zero done
            interrupt

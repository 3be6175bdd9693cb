; errors: the first field that the default sampler does not supply is reported, once
            .filter class load
            .entry  load go
go:         mov     tippc0 -> v0            | if zero done
            mov     pairpc -> v0            | if zero done
            interrupt

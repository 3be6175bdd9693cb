; errors: options that do not go together, by a parameter; and a field of pairs
            .param  often = 10
            .param  window = 20
            .sampler profileme, pair, window=window, period=often
            .record pc32, tipflags
            .filter class load
            .entry  load go
go:         mov     pairpc -> v0            | if zero done
            interrupt

; errors: an option of a sampler that has none
            .param  x = 10
            .sampler retire, period=x
            .filter class load
            .entry  load go
go:         interrupt

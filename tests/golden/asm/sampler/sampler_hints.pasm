; errors: names of parameters and constants that are misspelt
            .param  often = 10
            .equ    WIDTH = 64
            .sampler profileme, pair, period=oftne, window=WIDHT
            .filter class load
            .entry  load go
go:         interrupt

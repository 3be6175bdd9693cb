; The sampler, its options from numbers, symbols and parameters.
            .equ    OFTEN = 50
            .param  window = 64, "instructions"
            .sampler profileme, pair, period=2 * OFTEN + 1, window=window
            .filter class load
            .entry  load go
go:         mov     pairpc -> v0            | if zero done
            cmp     v0, pc32                | if eq done
            mov     lost                    | if nonzero done
            interrupt

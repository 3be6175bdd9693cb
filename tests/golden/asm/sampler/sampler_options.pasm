; errors: options of samplers, with parameters and symbols
            .param  often = 11
            .equ    N = 101
            .sampler tip, period=absent
            done

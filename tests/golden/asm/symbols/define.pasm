            .ifndef N
            .equ    N = 1
            .endif
            .const  n = N + M
            nop | done

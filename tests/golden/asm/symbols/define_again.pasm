            .equ    S = 4
            .const  n = S
            done

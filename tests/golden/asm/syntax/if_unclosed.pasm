            .if 1
            .ifdef X
            done

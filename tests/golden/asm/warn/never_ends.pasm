; a program whose entry never reaches done or interrupt
            .index  i, width 4
            .filter class load
            .entry  load spin
            .target spin
spin:       inc     i
            nop                             | goto t0

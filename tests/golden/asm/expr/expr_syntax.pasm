            .const a = 1 +
            .const b = (1
            .const c = 1 2
            .const = 1
            .equ   d 1
            .const e = v0[1]
            done

            .equ    shift = 1 << 64
            .equ    bit = 1 << 63
            .equ    back = 4 >> -1
            .equ    least = -9223372036854775808 / -1
            .equ    rest = (-9223372036854775807 - 1) % -1
            .equ    zero = 4 / (2 - 2)
            .equ    none = 4 % 0
            .equ    sum = 9223372036854775807 + 1
            .equ    product = 9223372036854775807 * 9223372036854775807
            .equ    negated = -(-9223372036854775808)
            .equ    large = 9223372036854775808
            .equ    order = -1 < 0xffffffffffffffff
            .equ    minus = -0x8000000000000000
            .equ    three = 3 * 0x8000000000000000
            .equ    below = 1 - 0xffffffffffffffff
            .equ    log = log2(-4)
            .if     1 << 64
            .endif
            .param  share = 1000 / 0
            .const  mask = ~0 << 64

; errors: numbers, operands of expressions
            .equ    A = 0x
            .equ    B = 0xG
            .equ    C = 0b12
            .equ    D = 0777
            .equ    E = 18446744073709551616
            .equ    F = 0xFFFFFFFFFFFFFFFFF
            .equ    G = '\q'
            .equ    H = 'ab'
            .equ    I = log2(0)
            .equ    J = -absent
            .equ    K = 1 + absent
            .equ    L = absent ? 1 : 2
            .equ    M = 1 ? absent : 2
            .equ    N = exp2(1)
            done

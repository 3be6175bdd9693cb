            .base  big = 65536
            .base  negative = -1
            .equ   N = 3
            .const half = log2(N)
            .const none = 1 / (N - 3)
            .const rest = 1 % (N - 3)
            .const what = log3(8)
            .const typo = M + NN
            done

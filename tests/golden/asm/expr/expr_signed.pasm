; Expressions are signed, by C's rules; a hexadecimal constant of 2^63 or more is unsigned.
            .if -6 / 2 != -3 || -7 / 2 != -3 || 7 / -2 != -3 || -7 % 2 != -1 || 7 % -2 != 1
            .error "division"
            .endif
            .if -1 > 0 || -1 >= 0 || 0 < -1 || !(-2 <= -1) || 0x7fffffffffffffff < 0
            .error "order"
            .endif
            .if -8 >> 1 != -4 || -1 >> 63 != -1 || -1 << 3 != -8 || 1 << 62 != 0x4000000000000000
            .error "shifts"
            .endif
            .if 0xffffffffffffffff >> 63 != 1 || 0xffffffffffffffff / 3 != 0x5555555555555555
            .error "unsigned"
            .endif
            .if ~0 != -1 || 0xffffffffffffffff != -1 || (0xffffffffffffffff & -8) != 0xfffffffffffffff8
            .error "bits"
            .endif
            .if log2(0x8000000000000000) != 63 || (1 ? -1 : 2) != -1 || -'a' != -97
            .error "the rest"
            .endif
            .program signed
            .param  least = -9223372036854775808
            .param  most = 0xffffffffffffffff
            .const  all = 0xffffffffffffffff
            .const  ones = -1
            .const  half = -9223372036854775807 - 1
            .const  quotient = -6 / 2
            .filter class load
            .entry  load look
look:       mov     all -> v0
            mov     ones -> v0
            mov     half -> v0
            mov     quotient -> v0          | done

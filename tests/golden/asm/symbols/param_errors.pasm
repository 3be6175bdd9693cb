; errors: parameters
            .param  share = 10
            .param  share = 20
            .param  a23456789012345678901234567890123 = 1
            .param  if = 1
            .param  9 = 1
            .param  unknown = nothing
            .param  empty
            .param  large = 18446744073709551616
            .param  comma = 1,
            .param  lines = 1, "two\nlines"
            .param  long  = 1, "1234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890"
            .const  c = share
            .parm   x = 1
go:         cmp     v0, share       | if ge interrupt
            done

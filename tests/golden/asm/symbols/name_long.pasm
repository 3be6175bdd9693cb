; Names of more than 31 characters are refused, whatever they name; one of 31 is accepted.
            .program a_name_that_is_longer_than_31_chr
            .equ    a_name_that_is_as_long_as_it_can = 1
            .equ    a_name_that_has_31_characters__ = 1
            .equ    a_name_that_is_longer_than_31_chr = 1
            .ifdef  a_name_that_is_longer_than_31_chr
            .endif
            .ifndef a_name_that_is_longer_than_31_chr
            .endif
            .param  a_name_that_is_longer_than_31_chr = 1
            .const  a_name_that_is_longer_than_31_chr = 1
            .base   a_name_that_is_longer_than_31_chr = 1
            .index  a_name_that_is_longer_than_31_chr
            .value  a_name_that_is_longer_than_31_chr = v0
            .base   rows = 0
            .filter class load
            .entry  load look
            .slot   rows[1] { a_name_that_is_longer_than_31_chr : 64 }
look:       mov     a_name_that_has_31_characters__ -> v0
a_name_that_is_longer_than_31_chr: goto a_name_that_is_longer_than_31_chr

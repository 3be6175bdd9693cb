; numbers in all notations, more symbols than the table of symbols begins with, a choice of expressions
            .equ    HEX   = 0xAbCdEf
            .equ    UPPER = 0XFF
            .equ    OCTAL = 0o17
            .equ    BITS  = 0B101
            .equ    TAB   = '\t'
            .equ    NUL   = '\0'
            .equ    QUOTE = '\''
            .equ    CHOSEN = 1 == 2 ? HEX : BITS
            .equ    E10    = 10
            .equ    E11    = 11
            .equ    E12    = 12
            .equ    E13    = 13
            .equ    E14    = 14
            .equ    E15    = 15
            .equ    E16    = 16
            .equ    E17    = 17
            .equ    E18    = 18
            .equ    E19    = 19
            .equ    E20    = 20
            .equ    E21    = 21
            .equ    E22    = 22
            .equ    E23    = 23
            .equ    E24    = 24
            .equ    E25    = 25
            .equ    E26    = 26
            .equ    E27    = 27
            .equ    E28    = 28
            .equ    E29    = 29
            .equ    E30    = 30
            .equ    E31    = 31
            .equ    E32    = 32
            .equ    E33    = 33
            .equ    E34    = 34
            .equ    E35    = 35
            .equ    E36    = 36
            .equ    E37    = 37
            .equ    E38    = 38
            .equ    E39    = 39
            .equ    E40    = 40
            .equ    E41    = 41
            .equ    E42    = 42
            .equ    E43    = 43
            .equ    E44    = 44
            .equ    E45    = 45
            .equ    E46    = 46
            .equ    E47    = 47
            .equ    E48    = 48
            .equ    E49    = 49
            .equ    E50    = 50
            .const  hex   = HEX
            .const  small = TAB + NUL + QUOTE + UPPER + OCTAL + CHOSEN + E10 + E50
            .filter class load
            .entry  load go
go:         mov     hex -> v0
            add     v0, small -> v1
            cmp     v1, v0                      | if eq done
            interrupt

; Results of operations on unsigned constants are unsigned, however small they are.
.equ  half = 0x8000000000000000 >> 1
.const a = half > -1
.const b = (0xffffffffffffffff - 0xffffffffffffffff) - 1
.const c = -(0xffffffffffffffff & 1)
.equ  d = (0xffffffffffffffff == -1) - 2    ; 0 or 1 is signed
.equ  e = (1 << (0x8000000000000000 >> 61)) - 17    ; a width does not decide

; errors: a symbol whose definition is in error is the only one, whatever uses it
            .equ    SIZE = unknown
            .base   t = SIZE
            .const  c = SIZE + 1
            .index  i, width log2(SIZE)
            .slot   t[SIZE] { n : 32 }
            .if     SIZE > 4
            .error  "large"
            .elif   SIZE
            .error  "some"
            .else
            .error  "small"
            .endif
go:         inc     t[i].n
            ld      t[i].n -> v0
            cmp     v0, c                       | if ge interrupt
            done

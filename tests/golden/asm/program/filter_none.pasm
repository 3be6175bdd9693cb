        .entry  load, store go
go:     mov     pc32 -> v0 | done

; names of members
            .base rows = 0
.slot rows[8] {
    a : 8
    a : 8
    w0 : 8
    if : 8
}
            nop | done

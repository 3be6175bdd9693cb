; formats of members
            .base rows = 0
.slot rows[8] {
    a : 16 last
    b : 16 last count
    c : 16 lately hex
    d : 16 shex
}
.slot rows[8] {
    key : ea
    wide : 64 signed
}
.slot rows[8] {
    key : max
}
.slot rows[8] {
    fine : 64 last ea
}
            nop | done

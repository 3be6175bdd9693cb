; widths and formats
            .base rows = 0
.slot rows[8] {
    a : 7
    b : hex
    c : 8 hx
    d : WIDE
    e : 8 pc pc
}
            nop | done

; lanes that are not aligned, and a full row
            .base rows = 0
.slot rows[8] {
    a : 8
    b : 16
    c : 32
    d : 64
    e : h3
    f : 8
}
            nop | done
